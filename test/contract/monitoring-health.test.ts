/**
 * Health as somebody sees it who looks from outside: the report, the status in every body, the probes. Check 25
 * of the specification takes more than a minute and runs with MILLRACE_LONG.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { type Json, Millrace, type MillraceOptions } from '../support/millrace.ts'

const running: Millrace[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({ api: true, ...options })
  running.push(millrace)
  return millrace
}

interface Indicator {
  status: string
  symptom: string
  details: { status: { state: string }; flow?: { worker_utilization: Record<string, number> } }
  diagnosis?: { id: string; help_url: string }[]
  impacts?: { id: string; severity: number }[]
}

function pipelinesIn(report: Json): Record<string, Indicator> {
  const { indicators } = report as { indicators?: { pipelines?: { indicators?: Record<string, Indicator> } } }
  return indicators?.pipelines?.indicators ?? {}
}

async function statusOf(millrace: Millrace, path: string, headers = {}): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${millrace.apiPort}${path}`, {
    headers,
    signal: patientSignal(5000),
  })
  await response.arrayBuffer()
  return response.status
}

const lasting = 'input { heartbeat { interval => 1 } } output { null { } }'
const report = '/_health_report'

describe('health', () => {
  it('is green while all is well, in the report and in every body', async () => {
    const millrace = await start({ config: lasting })
    await millrace.untilStarted()
    const body = await millrace.apiUntil(report, (found) => found['status'] === 'green')
    expect(Object.keys(body)).toEqual(
      'host version http_address id name ephemeral_id snapshot status symptom indicators timestamp'.split(
        ' ',
      ),
    )
    expect(body['symptom']).toBe('1 indicator is healthy (`pipelines`)')
    expect(pipelinesIn(body)['main']).toMatchObject({
      status: 'green',
      symptom: 'The pipeline is healthy',
      details: { status: { state: 'RUNNING' } },
    })
    expect(pipelinesIn(body)['main']).not.toHaveProperty('diagnosis')
    expect(await millrace.api('/')).toMatchObject({ status: 'green' })
    expect(await statusOf(millrace, '/-/ready')).toBe(200)
  })

  it('tells the finished from the failed, and both from the running', async () => {
    const millrace = await start({
      pipelines: [
        '- pipeline.id: lasting',
        `  config.string: '${lasting}'`,
        '- pipeline.id: ended',
        "  config.string: 'input { generator { count => 1 } } output { null { } }'",
        '- pipeline.id: broken',
        "  config.string: 'input { heartbeat { nonsense => 1 } } output { null { } }'",
      ].join('\n'),
    })
    const body = await millrace.apiUntil(report, (found) => {
      const { ended, broken, lasting: rest } = pipelinesIn(found)
      // A pipeline that is still loading is yellow, too.
      const isOver = JSON.stringify(ended ?? {}).includes('"FINISHED"')
      return isOver && broken?.status === 'red' && rest?.status === 'green'
    })
    const { ended, broken } = pipelinesIn(body)
    expect(body['status']).toBe('red')
    expect(ended).toMatchObject({
      symptom: 'The pipeline is concerning; 1 area is impacted and 1 diagnosis is available',
      details: { status: { state: 'FINISHED' } },
      diagnosis: [{ id: 'logstash:health:pipeline:status:diagnosis:finished' }],
      impacts: [{ id: 'logstash:health:pipeline:status:impact:not_processing', severity: 10 }],
    })
    expect(broken).toMatchObject({
      symptom: 'The pipeline is unhealthy; 1 area is impacted and 1 diagnosis is available',
      details: { status: { state: 'TERMINATED' } },
      diagnosis: [{ id: 'logstash:health:pipeline:status:diagnosis:terminated' }],
      impacts: [{ severity: 1 }],
    })
    expect(await millrace.api('/_node/stats/events')).toMatchObject({ status: 'red' })
    expect(await statusOf(millrace, '/-/live')).toBe(200)
    expect(await statusOf(millrace, '/-/ready')).toBe(503)
    expect(await statusOf(millrace, report)).toBe(200)
  })

  it('is told without a password to probes only', async () => {
    const millrace = await start({
      config: lasting,
      settings: [
        'api.auth.type: basic',
        'api.auth.basic.username: "probe"',
        'api.auth.basic.password: "Str0ngEnough"',
      ].join('\n'),
    })
    await millrace.untilStarted()
    expect(await statusOf(millrace, '/-/live')).toBe(200)
    expect(await statusOf(millrace, '/-/ready')).toBe(200)
    for (const path of ['/', report, '/metrics', '/_node/stats/stream'])
      expect([path, await statusOf(millrace, path)]).toEqual([path, 401])
    const authorization = `Basic ${Buffer.from('probe:Str0ngEnough').toString('base64')}`
    expect(await statusOf(millrace, report, { authorization })).toBe(200)
  })

  it.runIf(process.env['MILLRACE_LONG'] === '1')(
    '25: sees workers that have been blocked for a minute',
    async () => {
      const millrace = await start({
        config: 'input { generator { } } filter { sleep { time => 3600 } } output { null { } }',
      })
      await millrace.untilStarted()
      const body = await millrace.apiUntil(report, (found) => found['status'] === 'yellow', 80_000)
      const { main } = pipelinesIn(body)
      expect(main?.details.flow?.worker_utilization['last_1_minute']).toBeGreaterThan(99.9)
      expect(main?.diagnosis?.[0]?.id).toMatch(
        /^logstash:health:pipeline:flow:worker_utilization:diagnosis:1m-(nearly-)?blocked$/,
      )
      expect(main?.impacts).toMatchObject([
        { id: 'logstash:health:pipeline:flow:impact:blocked_processing', severity: 2 },
      ])
    },
    120_000,
  )
})
