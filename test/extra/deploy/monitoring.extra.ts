/**
 * The Grafana dashboard and the alert rules with a real Prometheus: its own checker reads the rules and tries them on made-up
 * series, and a server that scrapes a node answers every query of the dashboard and fires an alert.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, Millrace } from '../../support/millrace.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const rules = join(root, 'deploy/prometheus/millrace-alerts.yml')
const startMillis = 30_000

function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  return stdout
}

describe('the alert rules', () => {
  it('are rules for promtool', () => {
    expect(promtool('check', 'rules', rules)).toContain('SUCCESS')
  })

  it('fire for what they are about, each of them tried', () => {
    const tests = join(root, 'test/extra/deploy/alerts.test.yml')
    promtool('test', 'rules', tests)
    const tried = readFileSync(tests, 'utf8')
    for (const [, name] of readFileSync(rules, 'utf8').matchAll(/alert: (\w+)/g))
      expect([name, tried.includes(`alertname: ${name}`)]).toEqual([name, true])
  })
})

interface Target {
  readonly expr: string
}

const dashboard = JSON.parse(readFileSync(join(root, 'deploy/grafana/millrace.json'), 'utf8')) as {
  panels: { title: string; targets: Target[] }[]
}

describe('a Prometheus that scrapes a node', () => {
  let folder: string
  let millrace: Millrace
  let prometheus: ChildProcess
  let address: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-prometheus-'))
    millrace = await Millrace.start({
      config: 'input { heartbeat { interval => 1 } } output { null {} }',
      settings: 'dead_letter_queue.enable: true\n',
      api: true,
      search: true,
    })
    await millrace.untilSearchable(startMillis)
    await millrace.search('PUT', '/numbers', { mappings: { properties: { n: { type: 'integer' } } } })
    await load('7')
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const config = join(folder, 'prometheus.yml')
    writeFileSync(
      config,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [rules],
        scrape_configs: [
          { job_name: 'millrace', static_configs: [{ targets: [`127.0.0.1:${millrace.apiPort}`] }] },
        ],
      }),
    )
    const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`]
    prometheus = spawn('prometheus', [...flags, `--web.listen-address=127.0.0.1:${port}`], {
      stdio: 'ignore',
    })
    await until(async () => (await query('up == 1')).length === 1)
  })

  afterAll(async () => {
    if (prometheus !== undefined) {
      prometheus.kill('SIGKILL')
      await once(prometheus, 'exit')
    }
    await millrace?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A pipeline that writes this text into a field of numbers. */
  async function load(text: string): Promise<void> {
    writeFileSync(
      millrace.configPath,
      `input { heartbeat { interval => 1 message => "${text}" } }
       filter { mutate { rename => { "message" => "n" } } }
       output { millrace { index => "numbers" } }`,
    )
    const reload = `http://127.0.0.1:${millrace.apiPort}/_node/pipelines/main/_reload`
    expect((await fetch(reload, { method: 'POST' })).status).toBe(200)
  }

  async function query(expression: string): Promise<unknown[]> {
    const answer = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
    const { status, error, data } = (await answer.json()) as {
      status: string
      error?: string
      data: { result: unknown[] }
    }
    if (status !== 'success') throw new Error(`${expression}: ${error}`)
    return data.result
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + startMillis
    while (!(await holds().catch(() => false))) {
      if (Date.now() > end) throw new Error('what was waited for did not come')
      await wait(500)
    }
  }

  it('has an answer to every query of the dashboard', async () => {
    const asked = dashboard.panels.flatMap(({ title, targets }) =>
      targets.map(
        ({ expr }) =>
          [
            title,
            expr
              .replaceAll('$instance', '.*')
              .replaceAll('$pipeline', '.*')
              .replaceAll('$__rate_interval', '10s'),
          ] as const,
      ),
    )
    expect(asked.length).toBeGreaterThan(10)
    const unanswered = async () => {
      const found: string[] = []
      for (const [title, expression] of asked) if ((await query(expression)).length === 0) found.push(title)
      return found
    }
    await until(async () => (await unanswered()).length === 0).catch(() => undefined)
    expect(await unanswered()).toEqual([])
  })

  it('fires when events are given up', async () => {
    const alert = 'ALERTS{alertname="MillraceDeadLetters",alertstate="firing"}'
    expect(await query(alert)).toEqual([])
    await load('not a number')
    await until(async () => (await query(alert)).length === 1)
  })
})
