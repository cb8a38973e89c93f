/**
 * The cloudwatch output: counts events by metric, dimensions, unit and minute, and sends the sums to Amazon CloudWatch in
 * intervals. What could not be sent is sent with the next interval; what is left at the end is sent then.
 */
import type { Event } from '../../event/event.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { maxTimer } from '../../time/max-timer.ts'
import { awsConcerns, awsOptions } from '../aws/options.ts'
import { packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts, isRefusal } from '../aws/service.ts'
import { pause } from '../delivery/pause.ts'
import { clientPackage } from '../packages/peer-package.ts'
import { parseDuration } from '../schedule/duration.ts'
import { type Datum, MetricSums, units } from './cloudwatch/metric-sums.ts'

/** How long the end of the pipeline waits for the service. */
const closeMilliseconds = 10_000
const retryMilliseconds = 500

export default defineOutput({
  name: 'cloudwatch',
  summary: 'Sums events up and sends the sums to Amazon CloudWatch.',
  description: [
    clientPackage(packageNames.cloudwatch),
    '',
    'Fields of the event decide what is counted: `CW_metricname`, `CW_namespace`, `CW_unit`, `CW_value` and `CW_dimensions`, a',
    'list of names and values; the options have what is used for events without them. An event without a metric is passed',
    'over. Events are delivered when they are counted: a process that is killed loses what it counted since it last sent.',
    'Sums whose answer was lost with the connection are sent again, and may then count twice.',
  ].join('\n'),
  options: {
    ...awsOptions,
    timeframe: option.string({
      default: '1m',
      doc: 'How often sums are sent, e.g. `30s` or `1m`; each has the minute of its events.',
    }),
    queue_size: option.number({
      default: 10_000,
      doc: 'How many events may be counted before sums are sent ahead of time.',
    }),
    batch_size: option.number({ default: 20, doc: 'Most sums of one request.' }),
    namespace: option.string({ default: 'Logstash', doc: 'Namespace; may contain `%{…}`.' }),
    field_namespace: option.string({ default: 'CW_namespace', doc: 'Field with the namespace.' }),
    metricname: option.string({ doc: 'Name of the metric; may contain `%{…}`. Then every event counts.' }),
    field_metricname: option.string({
      default: 'CW_metricname',
      doc: 'Field with the name of the metric.',
    }),
    unit: option.oneOf(units, { default: 'Count', doc: 'Unit of the values.' }),
    field_unit: option.string({ default: 'CW_unit', doc: 'Field with the unit.' }),
    value: option.string({ default: '1', doc: 'Value; may contain `%{…}`.' }),
    field_value: option.string({ default: 'CW_value', doc: 'Field with the value.' }),
    dimensions: option.hash({ doc: 'Dimensions by name; names and values may contain `%{…}`.' }),
    field_dimensions: option.string({
      default: 'CW_dimensions',
      doc: 'Field with the dimensions: a list of names and values in turn.',
    }),
  },
  concurrency: 'shared',
  concerns: (options) => [
    ...startConcern('timeframe', () => intervalOf(options.timeframe)),
    ...awsConcerns(options, 'cloudwatch'),
  ],
  create({ options, compile, logger, abort }) {
    const sums = new MetricSums(options, compile, logger)
    let service: AwsService | undefined
    let timer: NodeJS.Timeout | undefined
    let publishing: Promise<void> | undefined

    const send = async (namespace: string, data: readonly Datum[], signal?: AbortSignal): Promise<void> => {
      const size = Math.max(1, options.batch_size)
      for (let at = 0; at < data.length; at += size) {
        const MetricData = data.slice(at, at + size)
        try {
          await service!.call('PutMetricData', { Namespace: namespace, MetricData }, signal)
        } catch (error) {
          const lost = isRefusal(error)
          const facts = { ...errorFacts(error), namespace, sums: lost ? MetricData.length : data.length - at }
          logger.warn('Failed to send to AWS CloudWatch', facts)
          if (lost) continue
          sums.putBack(namespace, data.slice(at))
          return
        }
      }
    }

    const publish = (signal?: AbortSignal): Promise<void> => {
      publishing ??= (async () => {
        for (const [namespace, data] of sums.take()) await send(namespace, data, signal)
      })().finally(() => {
        publishing = undefined
      })
      return publishing
    }

    return {
      async register() {
        const milliseconds = intervalOf(options.timeframe)
        service = await AwsService.open({ service: 'cloudwatch', options, logger, abort })
        timer = setInterval(() => void publish(), Math.min(milliseconds, maxTimer))
        timer.unref()
      },
      async receive(events: readonly Event[]) {
        for (const event of events) {
          if (!sums.add(event) || sums.events < options.queue_size) continue
          logger.warn(
            'Posted to AWS CloudWatch ahead of schedule.  If you see this often, consider increasing the cloudwatch queue_size option.',
          )
          await publish()
        }
      },
      async close() {
        clearInterval(timer)
        if (service !== undefined) {
          const limit = AbortSignal.timeout(closeMilliseconds)
          await publishing
          do await publish(limit)
          while (!sums.isEmpty && (await hasPassed(retryMilliseconds, limit, abort)))
          if (!sums.isEmpty) logger.error('Sums that AWS CloudWatch did not take are lost')
        }
        service?.close()
        service = undefined
      },
    }
  },
})

/** False when there is no more time. */
async function hasPassed(milliseconds: number, limit: AbortSignal, abort: AbortSignal): Promise<boolean> {
  await pause(milliseconds, abort).catch(() => undefined)
  return !limit.aborted && !abort.aborted
}

function intervalOf(timeframe: string): number {
  const milliseconds = parseDuration(timeframe)
  if (milliseconds === undefined || milliseconds <= 0) {
    throw new Error(`invalid duration ${JSON.stringify(timeframe)}`)
  }
  return milliseconds
}
