/** A real Chromium, and pages that remember everything that went wrong in them. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

export async function launch(): Promise<Browser> {
  const found = spawnSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'], {
    encoding: 'utf8',
  })
  return chromium.launch({
    executablePath: found.stdout.trim(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

export const sizes = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1280, height: 800 },
  wide: { width: 1920, height: 1080 },
} as const

export type SizeName = keyof typeof sizes

export interface Visit {
  readonly page: Page
  /** Errors of scripts and of the console, dialogs, policy violations. */
  readonly trouble: string[]
  close(): Promise<void>
}

export async function visit(
  browser: Browser,
  size: SizeName = 'laptop',
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: sizes[size],
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en',
    ...options,
  })
  const page = await context.newPage()
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && trouble.push(`console: ${message.text()}`))
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.setDefaultTimeout(60_000)
  return { page, trouble, close: () => context.close() }
}

/** Keeps what a page shows, where MILLRACE_PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['MILLRACE_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(
    root: Document,
    options: unknown,
  ): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }>
}

/** What axe-core has to say about a page. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(`${axe};0`)
  return page.evaluate(async () => {
    const { axe: tool } = window as unknown as { axe: Axe }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const found = await tool.run(document, { runOnly: tags })
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary}`,
    )
  })
}
