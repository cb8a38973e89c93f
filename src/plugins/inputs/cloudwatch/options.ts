/** The options of the cloudwatch input. */
import { type OptionValues, option } from '../../../plugin/define.ts'
import { awsOptions } from '../../aws/options.ts'

export const cloudwatchOptions = {
  ...awsOptions,
  namespace: option.string({ default: 'AWS/EC2', doc: 'Namespace of the metrics.' }),
  metrics: option.array({
    default: ['CPUUtilization', 'DiskReadOps', 'DiskWriteOps', 'NetworkIn', 'NetworkOut'],
    doc: 'Names of the metrics; those that the namespace does not have are passed over.',
  }),
  statistics: option.array({
    default: ['SampleCount', 'Average', 'Minimum', 'Maximum', 'Sum'],
    doc: 'What to ask about each metric.',
  }),
  interval: option.number({ default: 900, doc: 'Seconds between two queries, and how far each looks back.' }),
  period: option.number({
    default: 300,
    doc: 'Seconds that a data point stands for, 60 or a multiple of it.',
  }),
  filters: option.hash({
    doc: 'Which resources are meant: for `AWS/EC2` and `AWS/EBS` filters of their lists, otherwise dimensions by name; required but for `AWS/EC2`.',
  }),
  combined: option.boolean({
    default: false,
    doc: 'Whether all filters are dimensions of one query, as S3 and SNS need it.',
  }),
}

export type CloudwatchOptions = OptionValues<typeof cloudwatchOptions>

export function checkCloudwatch({ interval, period, filters, namespace }: CloudwatchOptions): void {
  if (interval < period) throw new Error('Interval needs to be higher than period')
  if (period <= 0 || interval % period !== 0) throw new Error('Interval must be divisible by period')
  if (filters === undefined && namespace !== 'AWS/EC2') {
    throw new Error(`Filters must be defined for when using ${namespace} namespace`)
  }
}
