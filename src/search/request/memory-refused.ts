/** Circuit breaker and rejected execution errors, in the words and with the statuses of Elasticsearch. */
import type { Refusal } from '../../memory/circuit-breakers.ts'
import { SearchError } from './search-error.ts'

export class CircuitBreaking extends SearchError {
  constructor({ message, bytesWanted, bytesLimit, durability }: Refusal) {
    super('circuit_breaking_exception', message, {
      status: 429,
      details: { bytes_wanted: bytesWanted, bytes_limit: bytesLimit, durability },
    })
  }
}

interface PoolState {
  readonly node: string
  readonly pool: string
  readonly queueCapacity: number
  readonly active: number
  readonly queued: number
  readonly completed: number
}

/** A queue was full; OpenSearch dropped the prefix of the type and of the class. */
export function rejectedExecution(state: PoolState, isOpenSearch: boolean): SearchError {
  const { node, pool, queueCapacity, active, queued, completed } = state
  const [type, executor] = isOpenSearch
    ? ['rejected_execution_exception', 'OpenSearchThreadPoolExecutor']
    : ['es_rejected_execution_exception', 'EsThreadPoolExecutor']
  const reason = `rejected execution of [${pool}] on ${executor}[name = ${node}/${pool}, queue capacity = ${queueCapacity}, [Running, pool size = ${active}, active threads = ${active}, queued tasks = ${queued}, completed tasks = ${completed}]]`
  return new SearchError(type!, reason, { status: 429 })
}
