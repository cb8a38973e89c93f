/** The node in six figures, each with the curve of the last two minutes. */
import { latest, type Snapshot, snapshots } from '../api/live.ts'
import { rateOf } from '../api/node-stats.ts'
import { brief, bytes, duration, percent, rate } from '../parts/format.ts'
import { Spark } from '../parts/spark.tsx'
import { history } from './figures.ts'

export function NodeTiles() {
  const stats = latest.value?.stats
  if (stats === undefined) return null
  const all = snapshots.value
  const values = (read: (snapshot: Snapshot) => number) => all.map(read)
  const queued = (snapshot: Snapshot) =>
    Object.values(snapshot.stats.pipelines).reduce((sum, one) => sum + (one?.queue?.events_count ?? 0), 0)
  const pressure = rateOf(stats.flow['queue_backpressure'])
  return (
    <ul class="tiles" aria-label="The node">
      <Tile
        name="Events in"
        value={rate(rateOf(stats.flow['input_throughput']))}
        more={`${brief(stats.events.in)} in all`}
        curve={history(all, (one) => one.stats.events.in)}
      />
      <Tile
        name="Events out"
        value={rate(rateOf(stats.flow['output_throughput']))}
        more={`${brief(stats.events.out)} in all`}
        curve={history(all, (one) => one.stats.events.out)}
      />
      <Tile
        name="Queued"
        value={brief(queued(latest.value!))}
        more={
          pressure !== undefined && pressure > 0.01
            ? `back-pressure ${pressure.toFixed(2)}`
            : 'no back-pressure'
        }
        curve={values(queued)}
        isBad={(pressure ?? 0) > 0.5}
      />
      <Tile
        name="Processor"
        value={percent(stats.process.cpu.percent)}
        more={`${stats.jvm.threads.count} threads`}
        curve={values((one) => one.stats.process.cpu.percent)}
      />
      <Tile
        name="Heap"
        value={bytes(stats.jvm.mem.heap_used_in_bytes)}
        more={`of ${bytes(stats.jvm.mem.heap_committed_in_bytes)} taken`}
        curve={values((one) => one.stats.jvm.mem.heap_used_in_bytes)}
      />
      <Tile
        name="Up for"
        value={duration(stats.jvm.uptime_in_millis)}
        more={`version ${stats.distribution_version ?? stats.version}`}
      />
    </ul>
  )
}

interface TileProps {
  readonly name: string
  readonly value: string
  readonly more: string
  readonly curve?: readonly number[]
  readonly isBad?: boolean
}

function Tile({ name, value, more, curve, isBad }: TileProps) {
  return (
    <li class={`tile card${isBad ? ' bad' : ''}`}>
      <span class="muted tiny">{name}</span>
      <strong>{value}</strong>
      <span class="muted tiny">{more}</span>
      {curve && <Spark values={curve} />}
    </li>
  )
}
