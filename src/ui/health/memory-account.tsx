/** Who has how much memory: the heaps of all threads, and what the store has promised to searches and requests. */
import { ApiProblem, askSearch } from '../api/ask.ts'
import { latest } from '../api/live.ts'
import { bytes, count, percent } from '../parts/format.ts'
import { WideGrid } from '../parts/grid.tsx'
import { Problem } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'

interface Breaker {
  readonly limit_size_in_bytes: number
  readonly estimated_size_in_bytes: number
  readonly tripped: number
}

interface NodesStats {
  readonly nodes: Readonly<
    Record<
      string,
      {
        readonly breakers?: Readonly<Record<string, Breaker>>
        readonly fs?: {
          readonly total?: { readonly total_in_bytes: number; readonly available_in_bytes: number }
        }
        readonly indices?: {
          readonly docs?: { readonly count: number }
          readonly segments?: { readonly count: number }
        }
      }
    >
  >
}

const words: Readonly<Record<string, string>> = {
  parent: 'all of the process',
  request: 'searches and aggregations',
  fielddata: 'columns in memory',
  accounting: 'segments',
  inflight_requests: 'requests on their way',
}

export function MemoryAccount() {
  const jvm = latest.value?.stats.jvm
  const store = useData('memory', (signal) => askSearch<NodesStats>('/_nodes/stats', { signal }), {
    every: 15_000,
  })
  const node = Object.values(store.value?.nodes ?? {})[0]
  const isOff = store.error instanceof ApiProblem && store.error.status === 503
  const disk = node?.fs?.total
  return (
    <section class="card" aria-label="Memory">
      <header>
        <h2>Memory and disk</h2>
      </header>
      <div class="body stack">
        {jvm && (
          <dl class="facts">
            <dt>heaps in use</dt>
            <dd>
              {bytes(jvm.mem.heap_used_in_bytes)} of {bytes(jvm.mem.heap_committed_in_bytes)} taken,{' '}
              {bytes(jvm.mem.heap_max_in_bytes)} at most
            </dd>
            <dt>outside of the heaps</dt>
            <dd>{bytes(jvm.mem.non_heap_committed_in_bytes)}</dd>
            {Object.entries(jvm.gc.collectors).map(
              ([name, { collection_count, collection_time_in_millis }]) => (
                <>
                  <dt key={name}>{name} collections</dt>
                  <dd key={`${name} value`}>
                    {count(collection_count)}, {count(collection_time_in_millis)} ms
                  </dd>
                </>
              ),
            )}
            {disk && (
              <>
                <dt>disk of the store</dt>
                <dd>
                  {bytes(disk.available_in_bytes)} free of {bytes(disk.total_in_bytes)}
                </dd>
              </>
            )}
          </dl>
        )}
        {store.error !== undefined && !isOff && (
          <Problem error={store.error} doing="Asking the store" retry={store.again} />
        )}
        {isOff && <p class="muted">{(store.error as Error).message}</p>}
      </div>
      {node?.breakers && (
        <WideGrid
          titles={[
            'account',
            { number: 'used' },
            { number: 'limit' },
            { number: 'share' },
            { number: 'refusals' },
          ]}
        >
          {Object.entries(node.breakers).map(
            ([name, { estimated_size_in_bytes, limit_size_in_bytes, tripped }]) => (
              <tr key={name}>
                <td>
                  {name} <span class="muted">{words[name] ?? ''}</span>
                </td>
                <td class="num">{bytes(estimated_size_in_bytes)}</td>
                <td class="num">{bytes(limit_size_in_bytes)}</td>
                <td class="num">
                  {percent((estimated_size_in_bytes / Math.max(1, limit_size_in_bytes)) * 100)}
                </td>
                <td class={`num${tripped > 0 ? ' bad' : ''}`}>{count(tripped)}</td>
              </tr>
            ),
          )}
        </WideGrid>
      )}
    </section>
  )
}
