/** A million hits in a real browser: the last page opens by its number and shows what the API says, as fast as the first. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, visit } from './browser.ts'

const documents = 1_000_000
const perBulk = 20_000
let browser: Browser
let millrace: Millrace

beforeAll(async () => {
  browser = await launch()
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 3600 } } output { null {} }',
    api: true,
    search: true,
  })
  await millrace.untilSearchable(60_000)
  await millrace.search('PUT', '/many', {
    settings: { 'index.refresh_interval': '-1' },
    mappings: {
      properties: { '@timestamp': { type: 'date' }, n: { type: 'integer' }, message: { type: 'keyword' } },
    },
  })
  const first = Date.UTC(2026, 0, 1)
  for (let from = 0; from < documents; from += perBulk) {
    let body = ''
    for (let n = from; n < from + perBulk; n += 1)
      body += `{"index":{}}\n{"@timestamp":${first + n * 1000},"n":${n},"message":"event ${n}"}\n`
    const answer = await fetch(`http://127.0.0.1:${millrace.searchPort}/many/_bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
    expect(((await answer.json()) as { errors: boolean }).errors).toBe(false)
  }
  await fetch(`http://127.0.0.1:${millrace.searchPort}/many/_refresh`, { method: 'POST' })
}, 900_000)

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
})

it('opens the last page of a million hits', async () => {
  const { page, trouble, close } = await visit(browser)
  await page.goto(`http://127.0.0.1:${millrace.apiPort}/ui/discover?i=many&t=all&n=50&h=0`)
  await page.locator('button.expander').first().waitFor()
  expect(await page.locator('.hit-total strong').textContent()).toBe('1,000,000')
  const shows = (text: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector('.hits tbody td.wide')?.textContent === wanted,
      text,
    )
  await shows('event 999999')
  const times: number[] = []
  for (const [number, top] of [
    [20_000, 49],
    [10_000, 500_049],
    [2, 999_949],
    [20_000, 49],
  ] as const) {
    const began = Date.now()
    await page.locator('#page').fill(String(number))
    await page.locator('#page').press('Enter')
    await shows(`event ${top}`)
    times.push(Date.now() - began)
  }
  expect(await page.locator('.hits tbody td.wide').last().textContent()).toBe('event 0')
  expect(await page.getByRole('button', { name: 'Last page' }).isDisabled()).toBe(true)
  process.stdout.write(`pages 20,000, 10,000, 2 and 20,000 of a million hits: ${times.join(', ')} ms\n`)
  expect(trouble).toEqual([])
  await close()
}, 300_000)
