/**
 * The health of the search store: an indicator of its own while it is down, while shards of it refuse reads or writes, or
 * while its disk is too full, nothing while all is well. A cluster that keeps the documents always has one: whether it
 * answers, and what it says of itself.
 */
import type { ClusterStatus } from '../../../cluster/cluster-watch.ts'
import type { FailedShard, StoreHealth } from '../../../threads/store/store-health.ts'
import type { StoreStatus } from '../../../threads/store/store-supervisor.ts'
import type { PipelineIndicator } from './health-pipeline.ts'

const prefix = 'millrace:health:search_store:'

export function storeIndicator(status: StoreStatus | undefined): PipelineIndicator | undefined {
  if (status?.state !== 'restarting')
    return status?.health
      ? embeddedIndicator(status.health)
      : status?.cluster && clusterIndicator(status.cluster)
  return {
    status: 'red',
    symptom: 'The search store is unhealthy; 1 area is impacted and 1 diagnosis is available',
    diagnosis: [
      {
        id: `${prefix}diagnosis:down`,
        cause: `the search store does not run and is started again: ${status.reason ?? 'its thread ended'}`,
        action:
          'look in the log for the error; it is started again by itself, ever later if that keeps failing',
        help_url: 'https://www.elastic.co/guide/en/elasticsearch/reference/current/troubleshooting.html',
      },
    ],
    impacts: [
      {
        id: `${prefix}impact:not_serving`,
        severity: 1,
        description: 'the search API does not answer, and pipelines that write to the store wait',
        impact_areas: ['search', 'ingest'],
      },
    ],
    details: { status: { state: 'TERMINATED' }, restarts: status.restarts },
  }
}

const manual = 'https://www.elastic.co/guide/en/elasticsearch/reference/current/'

function embeddedIndicator({
  failedShards,
  failedCount,
  isDiskFlooded,
}: StoreHealth): PipelineIndicator | undefined {
  const findings = [
    ...(isDiskFlooded ? [flooded] : []),
    ...(failedCount > 0 ? [failedFinding(failedShards, failedCount)] : []),
  ]
  if (findings.length === 0) return undefined
  const count =
    findings.length === 1
      ? '1 area is impacted and 1 diagnosis is'
      : '2 areas are impacted and 2 diagnoses are'
  return {
    status: 'red',
    symptom: `The search store is unhealthy; ${count} available`,
    diagnosis: findings.map(({ diagnosis }) => diagnosis),
    impacts: findings.map(({ impact }) => impact),
    details: { status: { state: 'RUNNING' }, failed_shards: failedCount },
  }
}

const flooded = {
  diagnosis: {
    id: `${prefix}diagnosis:disk-full`,
    cause: 'the disk of the search store is used above the flood-stage watermark',
    action: 'free some room there; indices take documents again by themselves',
    help_url: `${manual}fix-watermark-errors.html`,
  },
  impact: {
    id: `${prefix}impact:read_only`,
    severity: 1,
    description: 'no index takes documents, and pipelines that write to the store wait; searches are served',
    impact_areas: ['ingest'],
  },
}

function failedFinding(shards: readonly FailedShard[], count: number) {
  const named = shards.map(({ index, shard, message }) => `[${index}][${shard}] ${message}`)
  const more = count > named.length ? `; and ${count - named.length} more` : ''
  const isDamaged = shards.some(({ kind }) => kind === 'damaged')
  return {
    diagnosis: {
      id: `${prefix}diagnosis:shards`,
      cause: `${count} ${count === 1 ? 'shard refuses' : 'shards refuse'} reads or writes: ${named.join('; ')}${more}`,
      action: isDamaged
        ? 'stop the node; `millrace store check` shows what is affected, `millrace store repair` keeps what can be read'
        : 'look at the disk and in the log; the shards are tried again by themselves',
      help_url: `${manual}red-yellow-cluster-status.html`,
    },
    impact: {
      id: `${prefix}impact:shards`,
      severity: 1,
      description: 'documents of these shards are not found or not taken; all others are served',
      impact_areas: ['search', 'ingest'],
    },
  }
}

function clusterIndicator(cluster: ClusterStatus): PipelineIndicator {
  const { isReachable, health, name, failedHosts, reason } = cluster
  const details = { status: { state: isReachable ? 'RUNNING' : 'TERMINATED' }, cluster: { name, health } }
  const isWell = isReachable && failedHosts.length === 0 && health !== 'yellow' && health !== 'red'
  if (isWell) return { status: 'green', symptom: 'The cluster is healthy', details }
  const cause = !isReachable
    ? `the cluster that keeps the documents does not answer: ${reason ?? 'no host could be asked'}`
    : failedHosts.length > 0
      ? `hosts of the cluster do not answer: ${failedHosts.join(', ')}`
      : `the cluster says that it is ${health}`
  return {
    // What a yellow cluster has is complete; a red one, or one that is away, is not to be had.
    status: isReachable && health !== 'red' ? 'yellow' : 'red',
    symptom: 'The cluster is unhealthy; 1 area is impacted and 1 diagnosis is available',
    diagnosis: [
      {
        id: `${prefix}diagnosis:${isReachable ? 'cluster' : 'away'}`,
        cause,
        action: 'look at the nodes of the cluster, and at search.cluster.hosts; nothing has to be done here',
        help_url: 'https://www.elastic.co/guide/en/elasticsearch/reference/current/troubleshooting.html',
      },
    ],
    impacts: [
      {
        id: `${prefix}impact:${isReachable ? 'degraded' : 'not_serving'}`,
        severity: isReachable ? 2 : 1,
        description: isReachable
          ? 'searches and writes may be slower or incomplete'
          : 'the search API answers 503, and pipelines that write to the cluster wait',
        impact_areas: ['search', 'ingest'],
      },
    ],
    details,
  }
}
