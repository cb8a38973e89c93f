/** The way from a grok failure to its cause, in a real browser: the tag in Discover, the counters in Flow, the piece in Grok. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, violationsOf, visit } from './browser.ts'

const expression = 'order %{INT:order:int} was %{WORD:state}'
const good = 'order 17 was placed'
const bad = 'order A-17 was placed'

let browser: Browser
let millrace: Millrace
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`

beforeAll(async () => {
  browser = await launch()
  millrace = await Millrace.start({
    config: `input { generator { lines => ["${good}", "${bad}"] count => 10 } heartbeat { interval => 3600 message => "${good}" } }
      filter { grok { id => "parts" match => { "message" => "${expression}" } } }
      output { millrace { index => "orders" } }`,
    api: true,
    search: true,
  })
  await millrace.untilSearchable(120_000)
  await millrace.apiUntil('/_node/stats/events', ({ events }) => (events as { out: number }).out >= 20)
  await millrace.search('POST', '/orders/_refresh')
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
})

it('leads from the tag of a document to the piece of the expression that fails', async () => {
  const { page, trouble, close } = await visit(browser)
  await page.goto(at('/ui/discover?i=orders&t=all&q=tags:_grokparsefailure'))
  await page.locator('button.expander').first().waitFor()
  expect(await page.locator('.hit-total strong').textContent()).toBe('10')
  const line = (await page.locator('.hits tbody td.wide').first().textContent())!
  expect(line).toBe(bad)

  await page.goto(at('/ui/flow/main?part=parts'))
  const row = page.locator('.part-panel table tbody tr').first()
  await row.waitFor()
  const stats = (await millrace.api('/_node/stats/pipelines/main')) as {
    pipelines: { main: { plugins: { filters: { id: string; failures: number }[] } } }
  }
  const failures = stats.pipelines.main.plugins.filters.find(({ id }) => id === 'parts')?.failures
  expect(failures).toBe(10)
  const cells = (await row.locator('td').allTextContents()).map((text) => text.trim())
  expect(cells.slice(-2)).toEqual(['11', '10'])

  await row.getByRole('link', { name: expression }).click()
  await page.waitForURL('**/ui/grok?p=*')
  await page.getByLabel('Lines').fill(`${good}\n${line}`)
  await page.getByText('1 of 2 lines match').waitFor()
  const failed = page.locator('.tried', { hasText: 'Does not match' })
  const answer = await fetch(at('/_node/_grok'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pattern: expression, lines: [line] }),
  })
  const { lines } = (await answer.json()) as { lines: { failed: string[]; stop: number }[] }
  const said = await failed.textContent()
  expect(said).toContain(`${lines[0]!.failed.at(-1)} fails at character ${lines[0]!.stop + 1}`)
  expect(await failed.locator('.matched').textContent()).toBe('order ')
  expect(await violationsOf(page)).toEqual([])

  await page
    .getByRole('textbox', { name: 'Expression', exact: true })
    .fill(expression.replace('%{INT:order:int}', '%{NOTSPACE:order}'))
  await page.getByText('2 of 2 lines match').waitFor()
  expect(trouble).toEqual([])
  await close()
})
