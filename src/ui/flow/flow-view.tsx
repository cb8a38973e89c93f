/** Pipelines live: figures of the node, all pipelines, and one of them as nested boxes. The first thing a person sees. */
import { useMemo } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { latest, reloaded, snapshots } from '../api/live.ts'
import type { PipelineInfo } from '../api/node-stats.ts'
import { bytes, count } from '../parts/format.ts'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { useKeys } from '../shell/keys.ts'
import { addressOf, go, place, setParameters } from '../shell/place.ts'
import { Boxes } from './boxes.tsx'
import { type PipelineRow, pipelineRows, pluginFigures } from './figures.ts'
import { NodeTiles } from './node-tiles.tsx'
import { PartPanel, type WrittenPlugin } from './part-panel.tsx'
import { PipelineTable } from './pipeline-table.tsx'
import { structureOf } from './structure.ts'

export function FlowView() {
  const rows = pipelineRows(latest.value)
  const asked = place.value.path[1]
  const row = asked === undefined ? rows[0] : rows.find(({ id }) => id === asked)
  useKeys(
    useMemo(
      () => [
        {
          key: 'Escape',
          does: 'closes the panel',
          run: () => setParameters({ part: undefined }, { replace: true }),
        },
      ],
      [],
    ),
  )
  if (latest.value === undefined) return <Waiting what="pipelines" />
  return (
    <div class="view flow">
      <h1 class="unseen">Flow</h1>
      <NodeTiles />
      {(rows.length > 1 || asked !== undefined) && (
        <PipelineTable rows={rows} chosen={row?.id} choose={(id) => go(addressOf(['flow', id]))} />
      )}
      {rows.length === 0 && (
        <Empty title="No pipeline runs.">
          <p>
            Start one: <code>millrace -f /etc/logstash/conf.d</code>, or{' '}
            <code>{"millrace -e 'input { stdin {} } output { stdout {} }'"}</code>
          </p>
        </Empty>
      )}
      {asked !== undefined && row === undefined && <Empty title={`There is no pipeline ${asked}.`} />}
      {row && <OnePipeline key={row.id} row={row} />}
    </div>
  )
}

function OnePipeline({ row }: { row: PipelineRow }) {
  const { id, stats } = row
  const key = `${id} ${reloaded.value}`
  const info = useData(key, (signal) =>
    ask<{ pipelines: Record<string, PipelineInfo> }>(
      `/_node/pipelines/${encodeURIComponent(id)}?graph=true`,
      { signal },
    ),
  )
  const written = useData(key, (signal) =>
    ask<{ plugins: readonly WrittenPlugin[] }>(`/_node/pipelines/${encodeURIComponent(id)}/_plugins`, {
      signal,
    }),
  )
  const graph = info.value?.pipelines[id]?.graph?.graph
  const structure = useMemo(() => graph && structureOf(graph.vertices, graph.edges), [graph])
  const figures = pluginFigures(snapshots.value, id)
  const part = place.value.parameters.get('part') ?? undefined
  const vertex = graph?.vertices.find((one) => one.id === part)
  const workers = stats.ext?.workers ?? []
  return (
    <section class="pipeline" aria-label={`Pipeline ${id}`}>
      <header class="view-head">
        <h2>{id}</h2>
        <span class="tag">
          {count(stats.events.in)} in · {count(stats.events.out)} out
          {stats.ext?.dropped ? ` · ${count(stats.ext.dropped)} dropped` : ''}
        </span>
        <span class="tag">
          {workers.filter(({ state }) => state === 'busy').length} of{' '}
          {stats.pipeline?.workers ?? workers.length} workers busy
        </span>
        <ReloadNote row={row} />
      </header>
      {info.error !== undefined && (
        <Problem error={info.error} doing="Reading the pipeline" retry={info.again} />
      )}
      {structure === undefined ? (
        info.isLoading && <Waiting what="the pipeline" />
      ) : (
        <div class={vertex ? 'with-panel' : ''}>
          <Boxes
            structure={structure}
            figures={figures}
            queue={queueOf(row)}
            chosen={part}
            choose={(chosen) =>
              setParameters({ part: chosen === part ? undefined : chosen }, { replace: true })
            }
          />
          {vertex && (
            <PartPanel
              vertex={vertex}
              figures={figures.get(vertex.id)}
              pipeline={row.id}
              written={written.value?.plugins.find((one) => one.id === vertex.id)}
              close={() => setParameters({ part: undefined }, { replace: true })}
            />
          )}
        </div>
      )}
    </section>
  )
}

function queueOf({ queued, queuedBytes, maxQueuedBytes, backPressure = 0, stats }: PipelineRow) {
  const pressure = backPressure > 0.01 ? ` · back-pressure ${backPressure.toFixed(2)}` : ''
  return {
    text: `${stats.queue?.type ?? 'memory'} · ${count(queued)} events · ${bytes(queuedBytes)} of ${bytes(maxQueuedBytes)}${pressure}`,
    isFull: backPressure > 0.5,
    share: maxQueuedBytes > 0 ? (queuedBytes / maxQueuedBytes) * 100 : 0,
  }
}

/** A reload that failed leaves the earlier configuration running: that must not go unseen. */
function ReloadNote({ row: { reloads } }: { row: PipelineRow }) {
  const failedAt = reloads.last_failure_timestamp
  const isCurrent = failedAt !== null && (reloads.last_success_timestamp ?? '') < failedAt
  if (!isCurrent || reloads.last_error === null)
    return reloads.successes > 0 ? <span class="tag">{count(reloads.successes)} reloads</span> : null
  return (
    <details class="state problem grow">
      <summary>The last reload failed; the earlier configuration goes on.</summary>
      <pre>{reloads.last_error.message}</pre>
    </details>
  )
}
