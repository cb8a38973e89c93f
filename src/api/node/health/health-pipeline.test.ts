import { describe, expect, it } from 'vitest'
import { healthState, type PipelineObservation, pipelineIndicator } from './health-pipeline.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)

function indicator(observed: Partial<PipelineObservation>) {
  return pipelineIndicator({ state: 'RUNNING', utilization: {}, recoveries: [], now, ...observed })
}

/** Status, ids without their common beginning, severity. */
function summary(observed: Partial<PipelineObservation>) {
  const { status, diagnosis = [], impacts = [] } = indicator(observed)
  const short = (id: string) => id.replace(/^logstash:health:pipeline:/, '')
  return [
    status,
    ...diagnosis.map(({ id }) => short(id)),
    ...impacts.flatMap(({ id, severity }) => [short(id), severity]),
  ]
}

describe('the health of a pipeline', () => {
  it('is green and silent while it runs', () => {
    expect(indicator({ utilization: { current: 50, lifetime: 40 } })).toEqual({
      status: 'green',
      symptom: 'The pipeline is healthy',
      details: { status: { state: 'RUNNING' }, flow: { worker_utilization: { current: 50, lifetime: 40 } } },
    })
    expect(indicator({}).details).toEqual({ status: { state: 'RUNNING' } })
  })

  it('follows its state', () => {
    const impact = 'status:impact:not_processing'
    expect(summary({ state: 'LOADING' })).toEqual(['yellow', 'status:diagnosis:loading', impact, 1])
    expect(summary({ state: 'FINISHED' })).toEqual(['yellow', 'status:diagnosis:finished', impact, 10])
    expect(summary({ state: 'TERMINATED' })).toEqual(['red', 'status:diagnosis:terminated', impact, 1])
    expect(summary({ state: 'UNKNOWN' })).toEqual(['unknown', 'status:diagnosis:unknown', impact, 2])
  })

  it('counts areas and diagnoses in its symptom', () => {
    expect(indicator({ state: 'TERMINATED' }).symptom).toBe(
      'The pipeline is unhealthy; 1 area is impacted and 1 diagnosis is available',
    )
    expect(indicator({ state: 'LOADING', recoveries: [now] }).symptom).toBe(
      'The pipeline is concerning; 1 area is impacted and 2 diagnoses are available',
    )
    const [diagnosis] = indicator({ state: 'LOADING' }).diagnosis!
    expect(Object.keys(diagnosis!)).toEqual(['id', 'cause', 'action', 'help_url'])
    const [impact] = indicator({ state: 'LOADING' }).impacts!
    expect(impact).toMatchObject({ severity: 1, impact_areas: ['pipeline_execution'] })
  })

  it.each([
    [{ last_5_minutes: 100 }, 'red', '5m-blocked', 1],
    [{ last_5_minutes: 99.9991, last_1_minute: 10 }, 'red', '5m-blocked', 1],
    [{ last_5_minutes: 99.999 }, 'yellow', '5m-nearly-blocked', 1],
    [{ last_5_minutes: 95, last_1_minute: 100 }, 'yellow', '5m-nearly-blocked', 1],
    [{ last_5_minutes: 94.9, last_1_minute: 100 }, 'yellow', '1m-blocked', 2],
    [{ last_1_minute: 99.9991 }, 'yellow', '1m-blocked', 2],
    [{ last_1_minute: 95 }, 'yellow', '1m-nearly-blocked', 2],
  ])('sees busy workers in %j', (utilization, status, id, severity) => {
    expect(summary({ utilization })).toEqual([
      status,
      `flow:worker_utilization:diagnosis:${id}`,
      'flow:impact:blocked_processing',
      severity,
    ])
  })

  it('looks at whole windows only, and says when it gets better', () => {
    expect(summary({ utilization: { current: 100, lifetime: 100, last_1_minute: 94.99 } })).toEqual(['green'])
    const cause = (utilization: PipelineObservation['utilization']) =>
      indicator({ utilization }).diagnosis?.[0]
    const recovering = cause({ last_5_minutes: 96, last_1_minute: 80 })
    expect(recovering?.cause).toMatch(/time to spare again/)
    expect(recovering?.action).not.toBe(cause({ last_5_minutes: 96, last_1_minute: 80.1 })?.action)
  })

  it('remembers recoveries for five minutes', () => {
    const ago = (...minutes: number[]) => minutes.map((minute) => now - minute * 60_000)
    const impact = 'recovery:impact:intermittent_processing'
    expect(summary({ recoveries: ago(5.1, 6) })).toEqual(['green'])
    expect(summary({ recoveries: ago(6, 4) })).toEqual([
      'yellow',
      'recovery:diagnosis:5m-recovery-recent',
      impact,
      2,
    ])
    expect(summary({ recoveries: ago(4, 3, 2, 1, 0) })).toEqual([
      'red',
      'recovery:diagnosis:5m-recovery-repeated',
      impact,
      1,
    ])
    expect(indicator({ recoveries: ago(6, 1) }).details).toEqual({
      status: { state: 'RUNNING' },
      recovery_log: ['2026-01-02T03:03:05.000Z'],
    })
  })

  it('is red while there is no room on the disk for its queue', () => {
    expect(summary({ fullQueue: '/data/queue/main' })).toEqual([
      'red',
      'queue:diagnosis:disk-full',
      'queue:impact:not_accepting',
      1,
    ])
    expect(indicator({ fullQueue: '/data/queue/main' }).diagnosis?.[0]?.cause).toContain('/data/queue/main')
  })

  it('has a state for whatever the agent knows', () => {
    const statuses = ['starting', 'running', 'finished', 'stopped', 'crashed', 'failed'] as const
    expect(statuses.map(healthState)).toEqual([
      'LOADING',
      'RUNNING',
      'FINISHED',
      'FINISHED',
      'TERMINATED',
      'TERMINATED',
    ])
  })
})
