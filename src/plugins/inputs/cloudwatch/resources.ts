/** What a metric is asked for: instances and volumes that fit the filters, or the filters themselves. */
import { valueText } from '../../../event/sprintf.ts'
import type { HashValue } from '../../../plugin/define.ts'
import type { AwsService } from '../../aws/service.ts'
import type { CloudwatchOptions } from './options.ts'

export interface Dimension {
  readonly name: string
  readonly value: string
}

type Choice = Pick<CloudwatchOptions, 'namespace' | 'filters' | 'combined'>

export function usesEc2({ namespace, combined, filters }: Choice): boolean {
  const isListed = namespace === 'AWS/EC2' || namespace === 'AWS/EBS'
  return isListed && !(combined && filters !== undefined)
}

/** Each with one value or several. */
export function filtersOf(filters: HashValue | undefined): [name: string, values: string[]][] {
  return [...(filters ?? [])].map(([name, value]) => [
    name,
    (Array.isArray(value) ? value : [value]).map(valueText),
  ])
}

export async function resourcesOf(options: Choice, ec2: AwsService | undefined): Promise<Dimension[]> {
  const filters = filtersOf(options.filters)
  if (ec2 === undefined) {
    return filters.flatMap(([name, values]) => values.map((value) => ({ name, value })))
  }
  const Filters = filters.map(([Name, Values]) => ({ Name, Values }))
  if (options.namespace === 'AWS/EBS') return named('VolumeId', await volumes(ec2, Filters))
  return named('InstanceId', await instances(ec2, Filters))
}

function named(name: string, values: readonly (string | undefined)[]): Dimension[] {
  return values.flatMap((value) => (value === undefined ? [] : [{ name, value }]))
}

interface InstancePage {
  readonly Reservations?: { readonly Instances?: { readonly InstanceId?: string }[] }[]
  readonly NextToken?: string
}

async function instances(ec2: AwsService, Filters: object[]): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for await (const page of pages<InstancePage>(ec2, 'DescribeInstances', Filters)) {
    for (const { Instances = [] } of page.Reservations ?? []) {
      found.push(...Instances.map(({ InstanceId }) => InstanceId))
    }
  }
  return found
}

interface VolumePage {
  readonly Volumes?: { readonly Attachments?: { readonly VolumeId?: string }[] }[]
  readonly NextToken?: string
}

/** Those that are attached, as in Logstash. */
async function volumes(ec2: AwsService, Filters: object[]): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for await (const page of pages<VolumePage>(ec2, 'DescribeVolumes', Filters)) {
    for (const { Attachments = [] } of page.Volumes ?? []) {
      found.push(...Attachments.map(({ VolumeId }) => VolumeId))
    }
  }
  return found
}

async function* pages<Page extends { readonly NextToken?: string }>(
  ec2: AwsService,
  operation: string,
  Filters: object[],
): AsyncGenerator<Page> {
  let NextToken: string | undefined
  do {
    const input = {
      ...(Filters.length > 0 && { Filters }),
      ...(NextToken !== undefined && { NextToken }),
    }
    const page: Page = await ec2.call<Page>(operation, input)
    yield page
    NextToken = page.NextToken
  } while (NextToken !== undefined && NextToken !== '')
}
