import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import cloudwatch from './cloudwatch.ts'

let aws: TestAws
const running: { input: TestInput; run: Promise<void> }[] = []
const second = Date.UTC(2020, 0, 1) / 1000

beforeEach(async () => {
  aws = await TestAws.start()
  aws.handlers.set('ListMetrics', ({ NextToken }) =>
    NextToken === undefined
      ? { Metrics: [{ MetricName: 'Size' }, { MetricName: 'Size' }], NextToken: 'more' }
      : { Metrics: [{ MetricName: 'Count' }] },
  )
  aws.handlers.set('GetMetricStatistics', ({ MetricName }) => ({
    Datapoints: MetricName === 'Size' ? [{ Timestamp: second, Average: 1.5, Sum: 3, Unit: 'Bytes' }] : [],
  }))
})
afterEach(async () => {
  for (const { input, run } of running.splice(0)) {
    await input.instance.stop()
    await run
    await input.instance.close?.()
  }
  await aws.close()
})

async function start(options: TestOptions): Promise<TestInput> {
  const input = inputFor(cloudwatch, {
    ...aws.options,
    namespace: 'AWS/S3',
    metrics: ['Size', 'Count', 'Other'],
    ...options,
  })
  await input.instance.register?.()
  running.push({ input, run: input.instance.run(input.sink) })
  return input
}

const asked = () => aws.inputsOf('GetMetricStatistics')

describe('cloudwatch input', () => {
  it('asks for every metric that there is and every value of a filter', async () => {
    const { sink } = await start({ filters: { BucketName: ['a', 'b'] } })
    const events = await sink.waitFor(2)
    expect(events.map((event) => event['BucketName'])).toEqual(['a', 'b'])
    expect(events[0]).toMatchObject({
      average: 1.5,
      unit: 'Bytes',
      namespace: 'AWS/S3',
      metric_name: 'Size',
      period: 300,
    })
    expect(Number(events[0]!['sum'])).toBe(3)
    expect(String(events[0]!['timestamp'])).toBe('2020-01-01T00:00:00.000Z')
    const span = Date.parse(String(events[0]!['end_time'])) - Date.parse(String(events[0]!['start_time']))
    expect(span).toBe(900_000)
    await eventually(() => expect(asked()).toHaveLength(4))
    expect(asked().map(({ MetricName }) => MetricName)).toEqual(['Size', 'Size', 'Count', 'Count'])
    expect(asked()[1]).toMatchObject({ Dimensions: [{ Name: 'BucketName', Value: 'b' }], Period: 300 })
  })

  it.each([
    [{}, ['SampleCount', 'Average', 'Minimum', 'Maximum', 'Sum']],
    [{ statistics: ['Sum', 'Average'] }, ['Sum', 'Average']],
  ])('asks for the statistics of %j', async (options, Statistics) => {
    const { sink } = await start({ filters: { BucketName: 'a' }, ...options })
    await sink.waitFor(1)
    expect(asked()[0]).toMatchObject({ Statistics })
  })

  it('joins filters to one query when it is told to', async () => {
    const { sink } = await start({ combined: true, filters: { BucketName: 'a', StorageType: 's' } })
    expect(await sink.waitFor(1)).toMatchObject([{ BucketName: 'a', StorageType: 's' }])
    expect(asked()[0]).toMatchObject({
      Dimensions: [
        { Name: 'BucketName', Value: 'a' },
        { Name: 'StorageType', Value: 's' },
      ],
    })
  })

  it('says so when a query fails, and goes on', async () => {
    aws.handlers.set('GetMetricStatistics', () => {
      throw { status: 400, code: 'InvalidParameterValue' }
    })
    const { environment } = await start({ filters: { BucketName: 'a' }, interval: 1, period: 1 })
    await eventually(() => expect(asked().length).toBeGreaterThan(1))
    expect(environment.logger.messages('error')).toContain('Metrics cannot be read from CloudWatch')
  })

  it.each([
    [{ filters: { a: 'b' }, interval: 100 }, 'Interval needs to be higher than period'],
    [{ filters: { a: 'b' }, interval: 400 }, 'Interval must be divisible by period'],
    [{}, 'Filters must be defined for when using AWS/S3 namespace'],
  ])('refuses %o', async (options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })
})
