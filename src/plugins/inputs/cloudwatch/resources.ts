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
  const isEbs = options.namespace === 'AWS/EBS'
  const name = isEbs ? 'VolumeId' : 'InstanceId'
  const found: Dimension[] = []
  for await (const page of pages(ec2, isEbs ? 'DescribeVolumes' : 'DescribeInstances', Filters)) {
    for (const { [name]: value } of listed(page)) if (value !== undefined) found.push({ name, value })
  }
  return found
}

interface Named {
  readonly InstanceId?: string
  readonly VolumeId?: string
}

/** A page of instances, or of volumes. */
interface Page {
  readonly Reservations?: { readonly Instances?: Named[] }[]
  readonly Volumes?: { readonly Attachments?: Named[] }[]
  readonly NextToken?: string
}

/** Volumes count when they are attached, as in Logstash. */
function listed({ Reservations = [], Volumes = [] }: Page): Named[] {
  return [
    ...Reservations.flatMap(({ Instances = [] }) => Instances),
    ...Volumes.flatMap(({ Attachments = [] }) => Attachments),
  ]
}

async function* pages(ec2: AwsService, operation: string, Filters: object[]): AsyncGenerator<Page> {
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
