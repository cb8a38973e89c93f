/**
 * Reads metrics from Amazon CloudWatch in intervals: for every metric and every resource the data points of the last
 * interval, each an event.
 */
import { Event } from '../../event/event.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type Sink } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { awsConcerns } from '../aws/options.ts'
import { AwsService, errorFacts } from '../aws/service.ts'
import { Stop } from '../receiving/stop.ts'
import { type Datapoint, eventFields, type Query } from './cloudwatch/datapoint.ts'
import { checkCloudwatch, cloudwatchOptions } from './cloudwatch/options.ts'
import { type Dimension, filtersOf, resourcesOf, usesEc2 } from './cloudwatch/resources.ts'

export default defineInput({
  name: 'cloudwatch',
  summary: 'Reads metrics from Amazon CloudWatch.',
  description: [
    'The client is the package `@aws-sdk/client-cloudwatch`, which has to be installed beside millrace; the namespaces',
    '`AWS/EC2` and `AWS/EBS` also need `@aws-sdk/client-ec2`, to find instances and volumes.',
    '',
    'Each data point becomes an event with the statistics (`average`, `sum` …), `timestamp`, `unit`, `namespace`, `metric_name`,',
    '`start_time`, `end_time`, `period`, and the dimension under its own name. A query that fails is logged, and asked again',
    'with the next interval.',
  ].join('\n'),
  options: cloudwatchOptions,
  concerns: (options) => [
    ...startConcern('interval', () => checkCloudwatch(options)),
    ...awsConcerns(options, 'cloudwatch', ...(usesEc2(options) ? (['ec2'] as const) : [])),
  ],
  create({ options, logger, abort }) {
    const stop = new Stop()
    const { namespace, interval, period } = options
    const wanted = options.metrics.map(textOf)
    const statistics = options.statistics.map(textOf)
    let service: AwsService | undefined
    let ec2: AwsService | undefined

    const metricsThere = async (): Promise<string[]> => {
      const names = new Set<string>()
      let NextToken: string | undefined
      do {
        const page = await service!.call<{ Metrics?: { MetricName?: string }[]; NextToken?: string }>(
          'ListMetrics',
          { Namespace: namespace, ...(NextToken !== undefined && { NextToken }) },
        )
        for (const { MetricName } of page.Metrics ?? []) if (MetricName !== undefined) names.add(MetricName)
        NextToken = page.NextToken
      } while (NextToken !== undefined && !wanted.every((name) => names.has(name)))
      return [...new Set(wanted)].filter((name) => names.has(name))
    }

    const query = async (sink: Sink, metric: string, dimensions: readonly Dimension[]): Promise<void> => {
      const now = Date.now()
      const asked: Query = { namespace, metric_name: metric, start: now - interval * 1000, end: now, period }
      const { Datapoints = [] } = await service!.call<{ Datapoints?: Datapoint[] }>('GetMetricStatistics', {
        Namespace: namespace,
        MetricName: metric,
        StartTime: new Date(asked.start),
        EndTime: new Date(asked.end),
        Period: period,
        Statistics: statistics,
        Dimensions: dimensions.map(({ name, value }) => ({ Name: name, Value: value })),
      })
      if (Datapoints.length === 0) return
      const events = Datapoints.map((point) => Event.from(eventFields(point, asked, dimensions)))
      const room = sink.events(events)
      if (room !== undefined) await stop.during(room)
    }

    const poll = async (sink: Sink): Promise<void> => {
      logger.info('Polling CloudWatch API')
      const metrics = await metricsThere()
      if (metrics.length === 0) throw new Error('No metrics to query')
      const groups: Dimension[][] = options.combined
        ? [filtersOf(options.filters).map(([name, values]) => ({ name, value: values[0] ?? '' }))]
        : (await resourcesOf(options, ec2)).map((dimension) => [dimension])
      for (const metric of metrics) {
        for (const dimensions of groups) {
          if (stop.isRequested) return
          await query(sink, metric, dimensions)
        }
      }
    }

    return {
      async register() {
        checkCloudwatch(options)
        service = await AwsService.open({ service: 'cloudwatch', options, logger, abort })
        if (usesEc2(options)) ec2 = await AwsService.open({ service: 'ec2', options, logger, abort })
      },
      async run(sink) {
        while (!stop.isRequested) {
          const started = Date.now()
          try {
            await poll(sink)
          } catch (error) {
            if (stop.isRequested) return
            logger.error('Metrics cannot be read from CloudWatch', { namespace, ...errorFacts(error) })
          }
          await stop.sleep(Math.max(100, interval * 1000 - (Date.now() - started)))
        }
      },
      stop() {
        stop.request()
      },
      close() {
        service?.close()
        ec2?.close()
        service = undefined
        ec2 = undefined
      },
    }
  },
})
