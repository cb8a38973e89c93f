/** The health of the search store: an indicator of its own while it is down, nothing while it runs. */
import type { StoreStatus } from '../../../threads/store-supervisor.ts'
import type { PipelineIndicator } from './health-pipeline.ts'

const prefix = 'millrace:health:search_store:'

export function storeIndicator(status: StoreStatus | undefined): PipelineIndicator | undefined {
  if (status?.state !== 'restarting') return undefined
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
