/** What a pipeline does while it runs, in a real browser: live tail, lineage, the editor with its checks, the fleet. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, picture, violationsOf, visit } from './browser.ts'

let browser: Browser
let millrace: Millrace
let other: Millrace
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`

const config = `input { heartbeat { interval => 1 message => "order 17 was placed" } }
filter {
  grok { id => "parts" match => { "message" => "order %{INT:order:int} was %{WORD:state}" } }
  mutate { id => "shorter" remove_field => ["host"] }
}
output { millrace { id => "store" index => "orders" } }
`

beforeAll(async () => {
  browser = await launch()
  other = await Millrace.start({
    config: 'input { heartbeat { interval => 1 } } output { null {} }',
    api: true,
    search: true,
  })
  await other.untilSearchable(120_000)
  millrace = await Millrace.start({
    config,
    api: true,
    search: true,
    settings: `api.ui.fleet: ["http://127.0.0.1:${other.apiPort}", "http://127.0.0.1:${other.searchPort}", "http://127.0.0.1:1"]\n`,
  })
  await millrace.untilSearchable(120_000)
  await millrace.apiUntil('/_node/stats/events', (body) => (body['events'] as { out: number }).out > 0)
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
  await other?.dispose()
})

describe('Live tail', () => {
  it('shows what a filter changes, pauses where nobody can overlook it, and counts what waits', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/tail/main?at=parts'))
    await page.locator('.tail-line').first().waitFor()
    await page.locator('.tail-line').first().click()
    const changes = page.locator('.tail-detail .changes')
    await changes.first().waitFor()
    expect(await changes.locator('.added').allTextContents()).toEqual(['+addedorder17', '+addedstateplaced'])
    const bar = page.locator('.tail-bar.paused')
    await bar.waitFor()
    await page.waitForFunction(() =>
      /Paused · [1-9]\d* waiting · 0 dropped/.test(document.querySelector('.tail-bar')?.textContent ?? ''),
    )
    const rows = await page.locator('.tail-line').count()
    await picture(page, 'tail')
    expect(await violationsOf(page)).toEqual([])
    await bar.getByRole('button', { name: 'Resume' }).click()
    await page.waitForFunction((before) => document.querySelectorAll('.tail-line').length > before, rows)
    expect(trouble).toEqual([])
    await close()
  })

  it('copies nothing once nobody looks', async () => {
    const { page, close } = await visit(browser)
    let open = 0
    page.on('request', (request) => {
      if (request.url().includes('/_tap')) open += 1
    })
    page.on('requestfailed', (request) => {
      if (request.url().includes('/_tap')) open -= 1
    })
    await page.goto(at('/ui/tail/main?at=parts&q=placed'))
    await page.locator('.tail-line').first().waitFor()
    expect(open).toBe(1)
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.locator('.part').first().waitFor()
    expect(open).toBe(0)
    await close()
  })
})

describe('Lineage', () => {
  it('is switched on, and follows a document from its input to its index', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/lineage'))
    await page.getByRole('button', { name: /Switch on/ }).click()
    await page.locator('.recording .tag.ok').waitFor()
    // One of some events is followed; a sample of 1 follows the next one.
    await fetch(at('/_node/traces'), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"enabled":true,"minutes":5,"sample":1}',
    })
    const { traces } = (await millrace.apiUntil(
      '/_node/traces',
      (body) => (body['traces'] as unknown[]).length > 0,
    )) as { traces: { key: string }[] }
    await page.goto(at(`/ui/lineage/${encodeURIComponent(traces[0]!.key)}`))
    await page.locator('.step-line').first().waitFor()
    const steps = await page.locator('.step-line').allTextContents()
    expect(steps.length).toBe(4)
    expect(steps[1]).toContain('grok')
    expect(steps[1]).toContain('changed')
    await page.locator('.step-line', { hasText: 'grok' }).click()
    await page.locator('.way .changes .added', { hasText: 'order' }).waitFor()
    await picture(page, 'lineage')
    expect(await violationsOf(page)).toEqual([])
    expect(trouble).toEqual([])
    await close()
  })

  it('says so when an event was not recorded', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/lineage/nobody'))
    await page.getByText('was not recorded').waitFor()
    await close()
  })
})

describe('Editor', () => {
  it('underlines what -t finds, goes there, and tries events on the text', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/editor/main?line=3'))
    const text = page.locator('.cm-content')
    await text.waitFor()
    await page.getByText('No problems.').waitFor()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('.simulated h3').first().waitFor()
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('filter { mutate { add_feild => { "a" => "b" } } }')
    await page.locator('.problem-error').first().waitFor()
    expect(await page.locator('.problems').textContent()).toContain('add_feild')
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true)
    await picture(page, 'editor')
    expect(await violationsOf(page)).toEqual([])
    await page.locator('.problem-line').first().click()
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('No problems.').waitFor()
    await page.getByLabel(/^Events, one a line/).fill('order 5 was lost')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('.simulated .added', { hasText: 'lost' }).first().waitFor()
    // The policy let the editor's style sheets through.
    expect(
      await page.evaluate(
        () =>
          getComputedStyle(document.querySelector('.code-editor')!.shadowRoot!.querySelector('.cm-scroller')!)
            .display,
      ),
    ).toBe('flex')
    expect(trouble).toEqual([])
    await close()
  })
})

describe('completion in the editor', () => {
  it('offers sections, plugins, options and values from what the plugins declare, by keys alone', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/editor/main'))
    const text = page.locator('.cm-content')
    await text.waitFor()
    await text.click()
    await page.keyboard.press('Control+End')
    const choices = page.locator('.completions li')
    const chosen = page.locator('.completions li[aria-selected]')
    await page.keyboard.type('inp')
    await choices.first().waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('fil')
    await page.locator('.completions li', { hasText: 'file' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+Space')
    await choices.first().waitFor()
    // What has to be there comes first, with its sentence.
    expect(await chosen.textContent()).toBe('pathstring list, required')
    expect(await page.locator('.completions .about').textContent()).toContain('Files to read')
    await picture(page, 'completion')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await choices.first().isVisible()).toBe(false)
    await page.keyboard.type('start_p')
    await choices.first().waitFor()
    await page.keyboard.press('Enter')
    // An option with a choice offers it at once.
    await page.locator('.completions li', { hasText: 'beginning' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    const written = () =>
      page.evaluate(
        () => document.querySelector('.code-editor')!.shadowRoot!.querySelector('.cm-content')!.textContent,
      )
    expect(await written()).toMatch(/input \{ {2}file \{ {4}start_position => "beginning" {2}\}\}$/)
    await page.keyboard.press('Control+/')
    expect(await written()).toMatch(/file \{ {4}# start_position => "beginning" {2}\}\}$/)
    expect(trouble).toEqual([])
    await close()
  })
})

describe('Fleet', () => {
  it('shows a node, a search API and a silent one, with their own figures', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/fleet'))
    await page.locator('tbody .tag').nth(1).waitFor()
    await page.locator('tbody .bad').waitFor()
    const rows = await page.locator('tbody tr').allTextContents()
    expect(rows[0]).toContain('Millrace')
    expect(rows[1]).toMatch(/Elasticsearch|OpenSearch/)
    expect(rows[2]).toContain('silent')
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'fleet')
    await close()
  })
})
