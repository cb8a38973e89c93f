/**
 * 200 hostile texts as values, field names, document ids, messages of events and reasons of dead letters: none of them
 * runs, in any view. The page's policy would stop a script; this looks whether one was even tried.
 */
import { writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, visit } from './browser.ts'

const run = 'window.hacked=1'
const events = [
  'onerror',
  'onload',
  'onmouseover',
  'onfocus',
  'onanimationstart',
  'ontoggle',
  'onpointerenter',
  'onclick',
]
const elements = [
  'img src=x',
  'svg',
  'body',
  'input autofocus',
  'details open',
  'video src=x',
  'iframe',
  'marquee',
  'object data=x',
]
const wrappers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `">${text}`,
  (text) => `'>${text}`,
]

/** Elements with handlers, scripts in many spellings, addresses that are code, templates, and what breaks parsers. */
const hostile: readonly string[] = [
  ...elements.flatMap((element, index) =>
    events.flatMap((event, number) => [
      wrappers[(index + number) % wrappers.length]!(`<${element} ${event}="${run}">`),
      wrappers[(index + number + 1) % wrappers.length]!(`<${element} ${event}=${run}>`),
    ]),
  ),
  ...[
    '<script>',
    '<SCRIPT>',
    '<script\t>',
    '<scr<script>ipt>',
    '</script><script>',
    '<!--><script>',
    '<![CDATA[<script>',
    '</textarea><script>',
    '</title><script>',
    '</style><script>',
  ].map((open) => `${open}${run}</script>`),
  ...[
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    '\u0001javascript:',
    'data:text/html,<script>',
    'vbscript:',
  ].flatMap((start) => [
    `<a href="${start}${run}">x</a>`,
    `${start}${run}`,
    `<iframe src="${start}${run}"></iframe>`,
  ]),
  ...[
    '{{constructor.constructor("window.hacked=1")()}}',
    '${window.hacked=1}',
    '#{window.hacked=1}',
    '<%= window.hacked=1 %>',
    '[[${window.hacked=1}]]',
    '`;window.hacked=1;`',
    "';window.hacked=1;//",
    '";window.hacked=1;//',
    '\\";window.hacked=1;//',
    '%3Cscript%3Ewindow.hacked=1%3C/script%3E',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'dangerouslySetInnerHTML',
    'innerHTML',
    'onclick',
    'style',
    'ref',
    'key',
    'children',
    'class',
  ],
  '\u202e<b onmouseover=window.hacked=1>x',
  '\ue000<script>window.hacked=1</script>\ue001',
  '\u0000<script>window.hacked=1</script>',
  '\ud800<script>window.hacked=1</script>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.hacked=1>',
  '<svg><animate onbegin=window.hacked=1 attributeName=x dur=1s>',
  '<link rel=stylesheet href=data:,*{x:expression(window.hacked=1)}>',
  '<meta http-equiv=refresh content="0;url=javascript:window.hacked=1">',
  '<base href="javascript:window.hacked=1//">',
  '<form action="javascript:window.hacked=1"><input type=submit>',
]

let browser: Browser
let millrace: Millrace
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`
const quoted = (text: string) => `'${text.replace(/[\\']/g, (char) => `\\${char}`).replaceAll('\u0000', '')}'`

beforeAll(async () => {
  browser = await launch()
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 1 } } output { null {} }',
    settings: 'dead_letter_queue.enable: true\n',
    api: true,
    search: true,
  })
  await millrace.untilSearchable(120_000)
  await millrace.search('PUT', '/strict', { mappings: { properties: { n: { type: 'integer' } } } })
  // Every text as a message and as the name of a field: all of them become dead letters.
  const events = `${millrace.folder}/events.json`
  const lines = hostile.map((text, index) => JSON.stringify({ message: text, [`${index} ${text}`]: index }))
  writeFileSync(events, `${lines.join('\n')}\n`)
  const config = `
    input { heartbeat { id => ${quoted(hostile[0]!)} interval => 1 } 
      file { path => "${events}" mode => "read" codec => "json" sincedb_path => "/dev/null" file_completed_action => "log" file_completed_log_path => "${events}.done" } }
    filter {
      if [message] == ${quoted(hostile[3]!)} { mutate { add_tag => [${quoted(hostile[4]!)}] } }
      mutate { id => ${quoted(hostile[5]!)} add_field => { "x" => ${quoted(hostile[6]!)} } copy => { "message" => "n" } }
    }
    output { millrace { index => "strict" } }`
  writeFileSync(millrace.configPath, config)
  const reloaded = await fetch(at('/_node/pipelines/main/_reload'), { method: 'POST' })
  expect(reloaded.status, await reloaded.text()).toBeLessThan(300)
  const now = Date.now()
  const body = hostile.map((text, index) => {
    const clean = text.replace(/[.\s\u0000]/g, '_').replaceAll('\ud800', '_') || '_'
    const source = { '@timestamp': now - index, message: text, level: text, [`f${index} ${clean}`]: text }
    return `${JSON.stringify({ index: { _id: `${index} ${clean}`.slice(0, 200) } })}\n${JSON.stringify(source)}\n`
  })
  await millrace.search('PUT', '/hostile', {
    settings: { 'index.mapping.total_fields.limit': 2000 },
    mappings: { properties: { level: { type: 'keyword' } } },
  })
  const { json } = await millrace.search('POST', '/hostile/_bulk?refresh=true', body.join(''))
  expect(json['errors'], JSON.stringify(json).slice(0, 500)).toBe(false)
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
})

async function looked(page: Page): Promise<void> {
  await page.waitForTimeout(300)
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
  expect(
    await page
      .locator(
        'main :is(script, iframe, object, img:not(.cm-widgetBuffer), video, marquee, form[action^=javascript], a[href^=javascript])',
      )
      .count(),
  ).toBe(0)
}

describe('hostile texts', () => {
  it('are 200 and more, each another one', () => {
    expect(new Set(hostile).size).toBe(hostile.length)
    expect(hostile.length).toBeGreaterThanOrEqual(200)
  })

  it('are text in Discover: rows, open hits, JSON, fields and their values', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/discover?i=hostile&t=all&n=250&q=*'))
    await page.locator('button.expander').first().waitFor()
    const rows = new Set(await page.locator('.hits tbody td.wide').allTextContents())
    const missing = hostile.filter((text) => !rows.has(text) && !/[\u0000\ud800\ue000\ue001]/u.test(text))
    expect(missing).toEqual([])
    await looked(page)
    const expanders = await page.locator('button.expander').all()
    for (const [index, button] of expanders.entries()) if (index % 10 === 0) await button.click()
    await page.getByRole('button', { name: 'JSON', exact: true }).first().click()
    await looked(page)
    for (const name of (await page.locator('.field-name').all()).slice(0, 12)) await name.click()
    await page.getByLabel('Find a field').fill('level')
    await page.locator('.field-name', { hasText: 'level' }).first().click()
    await looked(page)
    expect(trouble).toEqual([])
    await close()
  })

  it('are text in dead letters: all of them, page by page, and opened', async () => {
    await millrace.apiUntil(
      '/_node/pipelines/main/_dead_letters?size=200',
      ({ entries }) => (entries as unknown[]).length === 200,
    )
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await page.locator('.letters').waitFor()
    const seen = new Set<string>()
    for (let number = 1; ; number += 1) {
      await page.getByText(`page ${number}`, { exact: true }).waitFor()
      await looked(page)
      for (const row of await page.getByRole('button', { name: 'Inspect' }).all()) {
        await row.click()
        const event = JSON.parse(await page.locator('.letter-event').inputValue()) as { message?: string }
        seen.add(event.message ?? '')
        await page.locator('dialog').getByRole('button', { name: 'Close' }).click()
        await page.waitForFunction(() => document.querySelector('dialog') === null)
      }
      await looked(page)
      const older = page.getByRole('button', { name: 'Older' })
      if (await older.isDisabled()) break
      await older.click()
    }
    const missing = hostile.filter((text) => !seen.has(text) && !/\ud800/u.test(text))
    expect(missing).toEqual([])
    expect(trouble).toEqual([])
    await close()
  })

  it.each([
    ['Flow', '/ui/flow/main', '.part'],
    ['Tail', '/ui/tail/main', '.tail-bar'],
    ['Editor', '/ui/editor/main', '.code-editor'],
    ['Health', '/ui/health', '.letters'],
    ['Indices', '/ui/indices/hostile', '.mapping'],
    [
      'an address',
      `/ui/discover?i=hostile&q=${encodeURIComponent(hostile[0]!)}&f=level:${encodeURIComponent(hostile[1]!)}`,
      '.page-bar',
    ],
    ['a pipeline that is not there', `/ui/flow/${encodeURIComponent(hostile[2]!)}`, 'main'],
    ['Lineage', `/ui/lineage/${encodeURIComponent(hostile[2]!)}`, '.lineage'],
    ['Grok', `/ui/grok?p=${encodeURIComponent(hostile[2]!)}`, 'main textarea, main input'],
  ])('are text in %s', async (_, path, ready) => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at(path))
    await page.locator(ready).first().waitFor()
    await page.waitForTimeout(1500)
    await looked(page)
    for (const button of (await page.getByRole('button', { name: 'Inspect' }).all()).slice(0, 1)) {
      await button.click()
      await looked(page)
    }
    // A key or an expression that the node refuses is an answer, not trouble.
    expect(trouble.filter((line) => !/status of 4\d\d/.test(line))).toEqual([])
    await close()
  })
})
