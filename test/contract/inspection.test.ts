/** Routes that look into a pipeline: check, simulate, tap, traces; and reloads that are tried on real events first. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Json, Millrace } from '../support/millrace.ts'

const open: Millrace[] = []

vi.setConfig({ testTimeout: 150_000 })

afterEach(async () => {
  for (const millrace of open.splice(0)) await millrace.dispose()
})

const config = `input { generator { id => "gen" interval => 0.01 lines => ["one 1", "two 2"] } }
filter { grok { id => "parse" match => { "message" => "%{WORD:word} %{INT:n}" } } }
output { null { id => "out" } }`

async function started(options: Parameters<typeof Millrace.start>[0] = {}): Promise<Millrace> {
  const millrace = await Millrace.start({ config, api: true, ...options })
  open.push(millrace)
  await millrace.untilStarted(90_000)
  return millrace
}

function post(millrace: Millrace, path: string, body: unknown, method = 'POST'): Promise<Response> {
  return fetch(`http://127.0.0.1:${millrace.apiPort}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('check and simulate', () => {
  it('check a text and run events through a pipeline that goes on', async () => {
    const millrace = await started()
    const checked = (await (
      await post(millrace, '/_node/_check', { config: 'filter { grk { } }' })
    ).json()) as Json
    expect(checked).toMatchObject({ valid: false, problems: [{ file: 'config', line: 1, column: 10 }] })
    const simulated = (await (
      await post(millrace, '/_node/pipelines/main/_simulate', { events: ['six 6'] })
    ).json()) as { results: Json[] }
    expect(simulated.results[0]).toMatchObject({ output: [{ word: 'six', n: '6' }], outputs: [['out']] })
    const wrong = await post(millrace, '/_node/pipelines/main/_simulate', { events: [], config: 'filter {' })
    expect(wrong.status).toBe(400)
    expect((await post(millrace, '/_node/pipelines/none/_simulate', { events: [] })).status).toBe(404)
    expect((await post(millrace, '/_node/pipelines/main/_simulate', { events: 1 })).status).toBe(400)
  })

  it('end a simulation that takes too long, and serve the next one', async () => {
    const millrace = await started()
    const slow = { events: ['a'], config: 'filter { sleep { time => 60 } }' }
    const ended = await post(millrace, '/_node/pipelines/main/_simulate', slow)
    expect(ended.status).toBe(408)
    const next = () => post(millrace, '/_node/pipelines/main/_simulate', { events: ['a 1'] })
    // A new thread may take its time where a machine is busy.
    await expect.poll(async () => (await next()).status, { timeout: 60_000 }).toBe(200)
  })

  it('are refused where anybody could come', async () => {
    const millrace = await started({ args: ['--api.http.host', '0.0.0.0', '--insecure-bind'] })
    expect((await post(millrace, '/_node/_check', { config: '' })).status).toBe(403)
    expect((await millrace.api('/_node/traces')) as Json).toMatchObject({ status: 403 })
  })
})

describe('the tap', () => {
  it('shows events before and after a plugin, and ends with its listener', async () => {
    const millrace = await started()
    const abort = new AbortController()
    const url = `http://127.0.0.1:${millrace.apiPort}/_node/pipelines/main/_tap?at=parse`
    const response = await fetch(url, {
      headers: { accept: 'application/x-ndjson' },
      signal: abort.signal,
    })
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.split('\n').filter((line) => line.includes('"before"')).length > 3) break
    }
    abort.abort()
    const lines = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { before: Json; after: Json[] })
    const shown = lines.find(({ before }) => before?.['message'] === 'two 2')!
    expect(shown.before).not.toHaveProperty('word')
    expect(shown.after[0]).toMatchObject({ word: 'two', n: '2' })
    expect((await fetch(`${url}x`)).status).toBe(400)
  })
})

describe('traces', () => {
  it('are off, can be switched on for a while, and show the way of an event', async () => {
    const millrace = await started()
    expect(await millrace.api('/_node/traces')).toMatchObject({ enabled: false, count: 0, until: null })
    const on = await post(millrace, '/_node/traces', { minutes: 1, sample: 1 }, 'PUT')
    expect(await on.json()).toMatchObject({ enabled: true, sample: 1 })
    const { traces } = (await millrace.apiUntil('/_node/traces', (body) => Number(body['count']) > 2)) as {
      traces: { key: string }[]
    }
    const trace = (await millrace.api(`/_node/traces/${encodeURIComponent(traces[0]!.key)}`)) as {
      steps: { id: string; verdict: string }[]
    }
    expect(trace.steps.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['gen', 'made'],
      ['parse', 'changed'],
      ['out', 'delivered'],
    ])
    await post(millrace, '/_node/traces', { enabled: false }, 'PUT')
    expect(await millrace.api('/_node/traces')).toMatchObject({ enabled: false })
    expect(await millrace.api('/_node/traces/none')).toMatchObject({ status: 404 })
  })
})

describe('a shadow reload', () => {
  it('logs what changes, and refuses one that fails more', async () => {
    const millrace = await started({
      settings: 'shadow_reload.events: 20\nshadow_reload.max_failures: 5\n',
    })
    await millrace.apiUntil('/_node/stats/events', (body) => Number((body['events'] as Json)['out']) > 40)
    const reload = () => post(millrace, '/_node/pipelines/main/_reload', undefined)
    await writeFile(millrace.configPath, config.replace('%{INT:n}', '%{INT:number}'))
    expect((await reload()).status).toBe(200)
    expect(millrace.stdout).toMatch(/Shadow reload.*changed=>\d+/)
    // The new configuration has to have seen events before the next can be tried on them.
    await wait(1500)
    await writeFile(millrace.configPath, config.replace('%{WORD:word}', 'nothing like that'))
    const refused = await reload()
    expect(refused.status).toBe(400)
    expect(((await refused.json()) as { error: { message: string } }).error.message).toMatch(/more.*fail/i)
    expect(millrace.running).toBe(true)
  })
})
