import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions, type TestOutput } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import cloudwatch from './cloudwatch.ts'

let aws: TestAws
const running: TestOutput[] = []

beforeEach(async () => {
  aws = await TestAws.start()
})
afterEach(async () => {
  for (const { environment, instance } of running.splice(0)) {
    environment.stop()
    await instance.close?.()
  }
  await aws.close()
})

async function start(options: TestOptions = {}): Promise<TestOutput> {
  const output = outputFor(cloudwatch, { ...aws.options, timeframe: '1h', ...options })
  running.push(output)
  await output.instance.register?.()
  return output
}

const time = '2020-01-01T00:00:42.000Z'
const minute = Date.UTC(2020, 0, 1) / 1000
const sent = () =>
  aws.inputsOf('PutMetricData') as unknown as { Namespace: string; MetricData: Record<string, unknown>[] }[]

describe('cloudwatch output', () => {
  it('sums values up by metric, dimensions, unit and minute, and sends them at the end', async () => {
    const { deliver, instance } = await start({ batch_size: 2 })
    const event = { '@timestamp': time, CW_metricname: 'm', CW_unit: 'Seconds', CW_namespace: 'N' }
    await deliver([
      { ...event, CW_value: '2.5' },
      { ...event, CW_value: 4 },
      { ...event, CW_value: '1', CW_dimensions: ['host', 'a', 'zone', 'b'] },
      { ...event, CW_value: ['7', '8'], '@timestamp': '2020-01-01T00:01:00.000Z' },
      { message: 'no metric' },
    ])
    expect(sent()).toEqual([])
    await instance.close!()
    expect(sent().map(({ Namespace, MetricData }) => [Namespace, MetricData.length])).toEqual([
      ['N', 2],
      ['N', 1],
    ])
    const [first, second, third] = sent().flatMap(({ MetricData }) => MetricData)
    expect(first).toMatchObject({
      MetricName: 'm',
      Unit: 'Seconds',
      Timestamp: minute,
      StatisticValues: { SampleCount: 2, Sum: 6.5, Minimum: 2.5, Maximum: 4 },
    })
    expect(second!['Dimensions']).toEqual([
      { Name: 'host', Value: 'a' },
      { Name: 'zone', Value: 'b' },
    ])
    expect(third).toMatchObject({ Timestamp: minute + 60, StatisticValues: { Sum: 7 } })
  })

  it('uses the options for events without fields', async () => {
    const { deliver, instance } = await start({
      metricname: 'events of %{host}',
      namespace: 'of %{host}',
      dimensions: { host: '%{host}' },
      unit: 'Percent',
      value: '%{load}',
    })
    await deliver([{ host: 'h', load: 3 }])
    await instance.close!()
    expect(sent()).toMatchObject([
      {
        Namespace: 'of h',
        MetricData: [
          {
            MetricName: 'events of h',
            Unit: 'Percent',
            Dimensions: [{ Name: 'host', Value: 'h' }],
            StatisticValues: { SampleCount: 1, Sum: 3 },
          },
        ],
      },
    ])
  })

  it('finds names, values and dimensions in the fields it is told', async () => {
    const { deliver, instance } = await start({
      field_namespace: 'ns',
      field_metricname: 'name',
      field_unit: 'u',
      field_value: 'v',
      field_dimensions: 'dims',
    })
    await deliver([
      { ns: 'N', name: 'm', u: 'Bytes', v: 5, dims: ['host', 'a'], CW_metricname: 'other', CW_value: 1 },
    ])
    await instance.close!()
    expect(sent()).toMatchObject([
      {
        Namespace: 'N',
        MetricData: [
          {
            MetricName: 'm',
            Unit: 'Bytes',
            Dimensions: [{ Name: 'host', Value: 'a' }],
            StatisticValues: { Sum: 5 },
          },
        ],
      },
    ])
  })

  it('warns of units and dimensions that cannot be right', async () => {
    const { deliver, instance, environment } = await start()
    await deliver([{ CW_metricname: 'm', CW_unit: 'Miles', CW_value: 'x', CW_dimensions: ['odd'] }])
    await instance.close!()
    const MetricData = sent()[0]!.MetricData
    expect(MetricData[0]).toMatchObject({ Unit: 'None', StatisticValues: { Sum: 0 } })
    expect(MetricData[0]).not.toHaveProperty('Dimensions')
    expect(environment.logger.messages('warn')).toEqual(
      [
        "Likely config error: invalid or missing Units (None), using 'None' instead",
        expect.stringContaining('CloudWatch dimensions field'),
      ].reverse(),
    )
  })

  it('sends ahead of time when it has counted enough', async () => {
    const { deliver, environment } = await start({ queue_size: 3, metricname: 'm' })
    await deliver([{}, {}, {}, {}])
    expect(sent()).toHaveLength(1)
    expect(environment.logger.messages('warn')[0]).toMatch(/^Posted to AWS CloudWatch ahead of schedule\./)
  })

  it('keeps what it could not send for the next time', async () => {
    const { deliver, instance } = await start({ queue_size: 2, metricname: 'm' })
    aws.isAway = true
    await deliver([{ '@timestamp': time }, { '@timestamp': time }])
    aws.isAway = false
    await deliver([{ '@timestamp': time }])
    await instance.close!()
    const data = sent().flatMap(({ MetricData }) => MetricData)
    expect(data).toMatchObject([{ StatisticValues: { SampleCount: 3, Sum: 3 } }])
  })

  it('tries again at the end', async () => {
    const { deliver, instance, environment } = await start({ metricname: 'm' })
    await deliver([{}])
    aws.isAway = true
    const closed = instance.close!()
    await eventually(() =>
      expect(environment.logger.messages('warn')).toContain('Failed to send to AWS CloudWatch'),
    )
    aws.isAway = false
    await closed
    expect(sent()).toMatchObject([{ MetricData: [{ StatisticValues: { SampleCount: 1 } }] }])
  })

  it('refuses a timeframe that is no duration', async () => {
    await expect(start({ timeframe: 'often' })).rejects.toThrow('invalid duration "often"')
  })
})
