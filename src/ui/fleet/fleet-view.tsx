/** Other nodes, read through this one: what they are, how they are, how much they do. A silent one keeps its row. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { brief, bytes, duration, rate } from '../parts/format.ts'
import { Grid } from '../parts/grid.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { useData } from '../parts/use-data.ts'
import { type FleetFigures, figuresOf, kindOf, readingsOf } from './fleet-node.ts'

interface FleetNode {
  readonly n: number
  readonly address: string
}

const askEvery = 5000

export function FleetView() {
  const fleet = useData('fleet', (signal) =>
    ask<{ nodes: readonly FleetNode[] }>('/ui/fleet/nodes', { signal }),
  )
  const nodes = fleet.value?.nodes ?? []
  return (
    <div class="view fleet">
      <header class="view-head">
        <h1>Fleet</h1>
        {nodes.length > 0 && <span class="tag">{nodes.length} nodes</span>}
      </header>
      {fleet.error !== undefined && (
        <Problem error={fleet.error} doing="Reading the fleet" retry={fleet.again} />
      )}
      {fleet.value === undefined && fleet.error === undefined && <Waiting what="nodes" />}
      {fleet.value && nodes.length === 0 && (
        <Empty title="No other node is named.">
          <p>
            <code>api.ui.fleet: [http://10.0.0.5:9600, http://10.0.0.6:9200]</code> in the settings names
            nodes of Millrace, Logstash, Elasticsearch or OpenSearch. They are only read.
          </p>
        </Empty>
      )}
      {nodes.length > 0 && (
        <section class="card scroll" aria-label="Nodes" tabIndex={0}>
          <Grid
            titles={[
              'address',
              'what',
              'name',
              'state',
              { number: 'events' },
              { number: 'waiting' },
              { number: 'documents' },
              { number: 'storage' },
              { number: 'heap' },
            ]}
          >
            {nodes.map((node) => (
              <NodeRow key={node.n} {...node} />
            ))}
          </Grid>
        </section>
      )}
    </div>
  )
}

function NodeRow({ n, address }: FleetNode) {
  const [heardAt, setHeard] = useState<number>()
  const reading = useData(
    address,
    async (signal): Promise<FleetFigures> => {
      const root = await ask(`/ui/fleet/${n}/root`, { signal })
      const readings: Record<string, unknown> = {}
      // A node that does not know one of its figures is not silent.
      for (const name of readingsOf(kindOf(root)))
        readings[name] = await ask(`/ui/fleet/${n}/${name}`, { signal }).catch(() => undefined)
      return figuresOf(root, readings)
    },
    { every: askEvery },
  )
  useEffect(() => {
    if (reading.error === undefined && reading.value !== undefined) setHeard(Date.now())
  }, [reading.value, reading.error])
  const figures = reading.value
  const isSilent = reading.error !== undefined
  const since = heardAt === undefined ? '' : ` for ${duration(Date.now() - heardAt)}`
  return (
    <tr class={isSilent ? 'silent' : ''}>
      <td class="mono">{address}</td>
      <td>{figures === undefined ? '–' : `${figures.kind} ${figures.version}`}</td>
      <td>{figures?.name ?? '–'}</td>
      <td>
        {isSilent ? (
          <span class="bad" title={(reading.error as Error).message}>
            silent{since}
            <span class="muted tiny"> {(reading.error as Error).message}</span>
          </span>
        ) : (
          figures && <Status word={figures.state} />
        )}
      </td>
      <td class="num">{rate(figures?.rate)}</td>
      <td class="num">{brief(figures?.queued)}</td>
      <td class="num">{brief(figures?.documents)}</td>
      <td class="num">{bytes(figures?.storage)}</td>
      <td class="num">{bytes(figures?.heap)}</td>
    </tr>
  )
}
