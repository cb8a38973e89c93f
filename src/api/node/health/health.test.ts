import { afterEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../../log/logger.ts'
import { type NodeApi, startNodeApi } from '../server.ts'
import { freshFetch, testAgent, testPipeline, testSettings } from '../testing.ts'
import type { AgentView } from '../view.ts'

setLevel('logstash.agent', 'OFF')
let api: NodeApi

afterEach(() => api.close())

async function report(agent: AgentView): Promise<Record<string, unknown>> {
  api = await startNodeApi({
    settings: testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal', 'node.name': 'n1' }),
    agent,
    id: 'node-id',
  })
  const response = await freshFetch(`http://${api.address}/_health_report`)
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

describe('the health report', () => {
  it('has its fields in order and nothing of the envelope beyond them', async () => {
    const body = await report(testAgent(testPipeline('main')))
    expect(Object.keys(body)).toEqual([
      'host',
      'version',
      'http_address',
      'id',
      'name',
      'ephemeral_id',
      'snapshot',
      'status',
      'symptom',
      'indicators',
      'timestamp',
    ])
    expect(body).toMatchObject({
      id: 'node-id',
      name: 'n1',
      version: '9.5.2',
      snapshot: false,
      status: 'green',
      symptom: '1 indicator is healthy (`pipelines`)',
    })
    expect(body['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body['indicators']).toMatchObject({
      pipelines: {
        status: 'green',
        symptom: '1 indicator is healthy (`main`)',
        indicators: { main: { status: 'green', symptom: 'The pipeline is healthy' } },
      },
    })
  })

  it('is as bad as the worst pipeline, whatever that is called', async () => {
    const odd = testPipeline('__proto__')
    odd.status = 'crashed'
    odd.recoveries.push(Date.now())
    const finished = testPipeline('done')
    finished.status = 'finished'
    const body = await report(testAgent(testPipeline('main'), odd, finished))
    expect(body).toMatchObject({ status: 'red', symptom: '1 indicator is unhealthy (`pipelines`)' })
    const { pipelines } = body['indicators'] as {
      pipelines: { symptom: string; indicators: Record<string, { diagnosis?: { id: string }[] }> }
    }
    expect(pipelines.symptom).toBe(
      '1 indicator is unhealthy (`__proto__`), 1 indicator is concerning (`done`), and 1 indicator is healthy (`main`)',
    )
    expect(Object.keys(pipelines.indicators)).toEqual(['main', '__proto__', 'done'])
    const [, ill] = Object.entries(pipelines.indicators)[1]!
    expect(ill.diagnosis?.map(({ id }) => id)).toEqual([
      'logstash:health:pipeline:status:diagnosis:terminated',
      'logstash:health:pipeline:recovery:diagnosis:5m-recovery-recent',
    ])
  })

  it('is green where there is nothing to be ill', async () => {
    expect(await report(testAgent())).toMatchObject({
      status: 'green',
      indicators: { pipelines: { status: 'green', symptom: 'no indicators', indicators: {} } },
    })
  })
})
