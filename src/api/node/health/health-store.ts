/**
 * The health of the search store: an indicator of its own while it is down, nothing while it runs. A cluster that keeps
 * the documents always has one: whether it answers, and what it says of itself.
 */
import type { ClusterStatus } from '../../../cluster/cluster-watch.ts'
import type { StoreStatus } from '../../../threads/store/store-supervisor.ts'
import type { PipelineIndicator } from './health-pipeline.ts'

const prefix = 'millrace:health:search_store:'

export function storeIndicator(status: StoreStatus | undefined): PipelineIndicator | undefined {
  if (status?.state !== 'restarting') return status?.cluster && clusterIndicator(status.cluster)
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
