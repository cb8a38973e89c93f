/** Which queue of Amazon SQS is meant, and what its address is. */
import { type OptionValues, option } from '../../plugin/define.ts'
import type { AwsService } from './service.ts'

export const queueOptions = {
  queue: option.string({ required: true, doc: 'Name of the queue, not its URL or ARN.' }),
  queue_owner_aws_account_id: option.string({ doc: 'Number of the account that owns the queue.' }),
}

export async function queueAddress(
  service: AwsService,
  { queue, queue_owner_aws_account_id: owner }: OptionValues<typeof queueOptions>,
): Promise<string> {
  const { QueueUrl } = await service.call<{ QueueUrl: string }>('GetQueueUrl', {
    QueueName: queue,
    ...(owner !== undefined && { QueueOwnerAWSAccountId: owner }),
  })
  return QueueUrl
}
