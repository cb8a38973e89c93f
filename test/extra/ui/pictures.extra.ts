/**
 * The pictures of the README and the guides, from the demo as `npm start` runs it. Each is made in every run, so that none
 * can show what is no longer there; MILLRACE_DOCS_PICTURES=1 keeps them in docs/pictures.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, Millrace } from '../../support/millrace.ts'
import { launch, type SizeName, visit } from './browser.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = process.env['MILLRACE_DOCS_PICTURES'] === '1' ? 'docs/pictures' : '.tmp/docs-pictures'
/** The editor shows where a configuration stands. */
const place = join(tmpdir(), 'demo')
let browser: Browser
let millrace: Millrace

beforeAll(async () => {
  mkdirSync(join(root, folder), { recursive: true })
  browser = await launch()
  const [tcp, http] = [await freePort(), await freePort()]
  const config = readFileSync(join(root, 'config/demo.conf'), 'utf8')
    .replace(/\b9500\b/g, String(tcp))
    .replace(/\b9580\b/g, String(http))
  rmSync(place, { recursive: true, force: true })
  millrace = await Millrace.start({
    folder: place,
    config,
    api: true,
    search: true,
    args: ['--demo', '--pipeline.id', 'demo'],
    settings: 'node.name: demo\n',
  })
  await millrace.untilSearchable(120_000)
  await millrace.apiUntil(
    '/_node/stats/events',
    ({ events }) => (events as { out: number }).out > 20_000,
    120_000,
  )
  await millrace.search('POST', '/demo/_refresh')
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
  rmSync(place, { recursive: true, force: true })
})

interface Picture {
  readonly path: string
  readonly size?: SizeName
  readonly dark?: boolean
  /** Until the page shows what the picture is of. */
  readonly ready: (page: Page) => Promise<unknown>
}

const first = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()

const pictures: Readonly<Record<string, Picture>> = {
  flow: {
    path: '/ui/flow/demo',
    ready: async (page) => {
      await first('.part')(page)
      // Curves of some seconds say more than one point.
      await page.waitForTimeout(12_000)
    },
  },
  'flow-phone': {
    path: '/ui/flow/demo',
    size: 'phone',
    dark: true,
    ready: async (page) => {
      await first('.part')(page)
      await page.waitForTimeout(6000)
    },
  },
  discover: {
    path: `/ui/discover?i=demo&t=now-24h~now&c=client,method,status,message&q=${encodeURIComponent('status:>=400')}`,
    ready: async (page) => {
      await first('button.expander')(page)
      await first('.u-over')(page)
    },
  },
  grok: { path: '/ui/grok', ready: first('.unmatched') },
  tail: {
    path: '/ui/tail/demo',
    ready: async (page) => {
      const parts = page.getByLabel('Plugin')
      await parts.waitFor()
      const grok = await parts.locator('option', { hasText: 'grok' }).first().getAttribute('value')
      await parts.selectOption(grok)
      await page.locator('.tail-line').nth(7).waitFor()
      await page.locator('.tail-line').nth(3).click()
      await first('.tail-detail .added')(page)
    },
  },
  lineage: {
    path: '/ui/lineage',
    ready: async (page) => {
      await page.locator('.recording summary').click()
      await page.locator('.traces a').last().click()
      await page.locator('.recording summary').click()
      await page.locator('.step-line', { hasText: 'grok' }).first().click()
      await first('.way .changes .added')(page)
    },
  },
  editor: {
    path: '/ui/editor/demo',
    dark: true,
    ready: async (page) => {
      const text = page.locator('.cm-content')
      await text.click()
      await page.getByText('No problems.').waitFor()
      await page.keyboard.press('Control+Home')
      await page.keyboard.insertText('filter {\n  date {\n    \n  }\n}\n')
      await page.keyboard.press('Control+Home')
      for (const key of ['ArrowDown', 'ArrowDown', 'End', 'Control+Space']) await page.keyboard.press(key)
      await first('.completions li')(page)
    },
  },
  health: { path: '/ui/health', ready: first('.finding') },
}

it.each(Object.entries(pictures))('makes the picture %s', async (name, { path, size, dark, ready }) => {
  const { page, trouble, close } = await visit(browser, size ?? 'laptop', {
    colorScheme: dark === true ? 'dark' : 'light',
  })
  await page.goto(`http://127.0.0.1:${millrace.apiPort}${path}`)
  await ready(page)
  await page.waitForTimeout(500)
  const file = join(root, folder, `${name}.png`)
  await page.screenshot({ path: file })
  // A third of the size; without the tool the picture is only larger.
  spawnSync('pngquant', ['--force', '--strip', '--output', file, '--', file])
  expect(trouble).toEqual([])
  await close()
})

it('makes every picture that the README and the guides show, and no other is kept', () => {
  const guides = readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`)
  const shown = ['README.md', ...guides].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/pictures\/([\w-]+)\.png/g)].map(
      (match) => match[1]!,
    ),
  )
  expect([...new Set(shown)].sort()).toEqual(Object.keys(pictures).sort())
  const kept = readdirSync(join(root, 'docs/pictures')).sort()
  expect(kept).toEqual(
    Object.keys(pictures)
      .map((name) => `${name}.png`)
      .sort(),
  )
})
