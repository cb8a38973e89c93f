/** Health in a real browser: a dead letter is found, changed and replayed by keys alone; threads, reloads, queue pages. */
import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, picture, violationsOf, visit } from './browser.ts'

let browser: Browser
let millrace: Millrace
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`

const config = (extra = '') => `
input { generator { count => 40 lines => ["not a number", "12"] } heartbeat { interval => 1 message => "7" } }
filter { mutate { rename => { "message" => "n" } } ${extra} }
output { millrace { id => "store" index => "numbers" } }`

const found = async (query: string) =>
  Number((await millrace.search('GET', `/numbers/_count?q=${encodeURIComponent(query)}`)).json['count'])

const reload = () => fetch(at('/_node/pipelines/main/_reload'), { method: 'POST' })

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(await holds()).toBe(true)
}

beforeAll(async () => {
  browser = await launch()
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 1 } } output { null {} }',
    api: true,
    search: true,
    settings: 'dead_letter_queue.enable: true\nqueue.type: persisted\nqueue.page_capacity: 1mb\n',
  })
  await millrace.untilSearchable(120_000)
  await millrace.search('PUT', '/numbers', { mappings: { properties: { n: { type: 'integer' } } } })
  writeFileSync(millrace.configPath, config())
  await reload()
  await until(async () => (await letters()).length === 40)
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
})

async function letters(): Promise<{ reason: string; event: { n: unknown } }[]> {
  const body = await millrace.api('/_node/pipelines/main/_dead_letters?size=200')
  return body['entries'] as { reason: string; event: { n: unknown } }[]
}

describe('Health', () => {
  it('replays a dead letter that was changed by hand, by keys alone', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await page.getByRole('button', { name: 'Inspect' }).first().waitFor()
    expect(await page.locator('.letters tbody tr').count()).toBe(25)
    const told = await letters()
    expect(told.length).toBe(40)
    expect(await page.locator('.letters .reason').first().textContent()).toBe(told[0]?.reason.slice(0, 300))
    const before = await found('n:4711')
    await page.getByRole('button', { name: 'Inspect' }).first().focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor()
    const area = page.locator('.letter-event')
    const text = await area.inputValue()
    expect(JSON.parse(text)).toMatchObject({ n: 'not a number' })
    for (let step = 0; step < 20; step += 1) {
      if (await page.evaluate(() => document.activeElement?.matches('.letter-event'))) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text.replace('"not a number"', '4711'))
    await page.locator('dialog .changes .changed').waitFor()
    await picture(page, 'dead-letter')
    expect(await violationsOf(page)).toEqual([])
    for (let step = 0; step < 10; step += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.textContent?.startsWith('Replay'))) break
    }
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Inspect')
    await until(async () => (await found('n:4711')) === before + 1)
    expect(trouble).toEqual([])
    await close()
  })

  it('gives up again what fails again, as a new entry', async () => {
    const before = (await letters()).length
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await page.locator('.letters tbody input').first().check()
    await page.getByRole('button', { name: /^Replay/ }).click()
    await until(async () => (await letters()).length === before + 1)
    await close()
  })

  it('shows reloads with the frame of their error', async () => {
    writeFileSync(millrace.configPath, config('mutate { add_feild => { "a" => "b" } }'))
    await reload()
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await page.getByRole('button', { name: 'History of main' }).click()
    const frame = page.locator('.reload-history .frame').first()
    await frame.waitFor()
    expect(await frame.textContent()).toContain('add_feild')
    expect(await page.locator('.reload-history li').count()).toBe(2)
    await close()
    writeFileSync(millrace.configPath, config())
    await reload()
  })

  it('draws a flame graph that the arrow keys walk', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    let isSampled = false
    // A node without work has no stacks to draw.
    const work = (async () => {
      while (!isSampled) await millrace.api('/_node/stats')
    })()
    await page.getByRole('button', { name: 'Take a sample' }).click()
    await page.locator('.flame-box, .flame-chosen, [aria-label="Hot threads"] tbody tr').first().waitFor()
    isSampled = true
    await work
    for (const button of await page.locator('[aria-label="Hot threads"] tbody button').all()) {
      await button.click()
      if ((await page.locator('.flame-box').count()) > 1) break
    }
    const boxes = page.locator('.flame-box')
    expect(await boxes.count()).toBeGreaterThan(1)
    await boxes.first().focus()
    const outer = await page.locator('.flame-chosen').textContent()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('.flame-chosen').textContent()).not.toBe(outer)
    await page.locator('[aria-label="Hot threads"]').scrollIntoViewIfNeeded()
    await picture(page, 'flame')
    expect(await violationsOf(page)).toEqual([])
    expect(trouble).toEqual([])
    await close()
  })

  it('lists the pages of a persisted queue', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await page.getByRole('button', { name: 'persisted queue of main, its pages' }).click()
    await page.locator('.queue-pages tbody tr').first().waitFor()
    const { queue } = (await millrace.api('/_node/pipelines/main/_queue')) as { queue: { pages: unknown[] } }
    expect(await page.locator('.queue-pages tbody tr').count()).toBe(queue.pages.length)
    await close()
  })

  it('drops dead letters only when the name of the pipeline is typed', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await page.locator('.letters').waitFor()
    await page.getByRole('button', { name: 'Drop all' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog input').focus()
    await page.keyboard.type('main')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    await close()
  })
})
