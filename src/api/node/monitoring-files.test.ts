import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setLevel } from '../../log/logger.ts'
import { type NodeApi, startNodeApi } from './server.ts'
import { freshFetch, testAgent, testPipeline, testSettings } from './testing.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = ['deploy/grafana/millrace.json', 'deploy/prometheus/millrace-alerts.yml']
let api: NodeApi

beforeAll(async () => {
  setLevel('logstash.agent', 'OFF')
  const settings = testSettings({ 'api.http.port': '29810-29890', 'log.level': 'fatal' })
  api = await startNodeApi({ settings, agent: testAgent(testPipeline('main')), id: 'x' })
})

afterAll(() => api.close())

describe('the Grafana dashboard and the alert rules', () => {
  it('are those of the script', () => {
    execFileSync(process.execPath, ['scripts/monitoring-files.mjs', '--check'], { cwd: root })
  })

  it('name metrics and labels that a node has', async () => {
    const text = await (await freshFetch(`http://${api.address}/metrics`)).text()
    for (const file of files) {
      const used = new Set(readFileSync(`${root}/${file}`, 'utf8').match(/\b(?:millrace|process)_[a-z_]+\b/g))
      expect(used.size).toBeGreaterThan(3)
      for (const name of used)
        expect([file, name, text.includes(`# TYPE ${name} `)]).toEqual([file, name, true])
    }
    expect(text).toMatch(/millrace_pipeline_status\{pipeline="main",status="running"\} 1/)
    expect(text).toMatch(/millrace_pipeline_reloads_total\{pipeline="main",result="failure"\} 0/)
    expect(text).toMatch(/millrace_health_status\{status="red"\}/)
  })
})
