/** The AWS SDK for JavaScript: a package per service, installed beside millrace, loaded when a pipeline starts. */
import { loadPeer } from '../packages/peer-package.ts'

export type ServiceName = 's3' | 'sqs' | 'sns' | 'cloudwatch' | 'kinesis' | 'ec2'

interface ServicePackage {
  readonly name: string
  /** What users call the service. */
  readonly title: string
  readonly client: string
}

const services: Readonly<Record<ServiceName, ServicePackage>> = {
  s3: { name: '@aws-sdk/client-s3', title: 'Amazon S3', client: 'S3Client' },
  sqs: { name: '@aws-sdk/client-sqs', title: 'Amazon SQS', client: 'SQSClient' },
  sns: { name: '@aws-sdk/client-sns', title: 'Amazon SNS', client: 'SNSClient' },
  cloudwatch: { name: '@aws-sdk/client-cloudwatch', title: 'Amazon CloudWatch', client: 'CloudWatchClient' },
  kinesis: { name: '@aws-sdk/client-kinesis', title: 'Amazon Kinesis', client: 'KinesisClient' },
  ec2: { name: '@aws-sdk/client-ec2', title: 'Amazon EC2', client: 'EC2Client' },
}

export const packageNames = Object.fromEntries(
  Object.entries(services).map(([service, { name }]) => [service, name]),
) as Readonly<Record<ServiceName, string>>

export const credentialsPackage = '@aws-sdk/credential-providers'

/** A client of the SDK, as far as it is used. */
export interface SdkClient {
  send(command: object, options?: { abortSignal?: AbortSignal }): Promise<unknown>
  destroy(): void
}

type Construct<T> = new (input: object) => T

export interface LoadedService {
  readonly Client: Construct<SdkClient>
  /** The class of a command by the name of its operation, e.g. `GetObject`. */
  command(operation: string): Construct<object>
}

export async function loadService(service: ServiceName): Promise<LoadedService> {
  const { name, title, client } = services[service]
  const loaded = await loadPeer<Record<string, unknown>>(name, `${title} is reached`, { member: client })
  return {
    Client: loaded[client] as Construct<SdkClient>,
    command: (operation) => loaded[`${operation}Command`] as Construct<object>,
  }
}
