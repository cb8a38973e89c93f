/** All pipelines, sortable, to choose one from. */
import { useState } from 'preact/hooks'
import { bytes, count, percent, rate } from '../parts/format.ts'
import { SortTitle } from '../parts/grid.tsx'
import type { PipelineRow } from './figures.ts'

type Value = (row: PipelineRow) => number | string | undefined

const columns: readonly {
  readonly name: string
  readonly value: Value
  readonly show: (row: PipelineRow) => string
  readonly isText?: boolean
}[] = [
  { name: 'in', value: ({ rateIn }) => rateIn, show: ({ rateIn }) => rate(rateIn) },
  { name: 'out', value: ({ rateOut }) => rateOut, show: ({ rateOut }) => rate(rateOut) },
  {
    name: 'workers',
    value: ({ utilization }) => utilization,
    show: ({ utilization }) => percent(utilization),
  },
  {
    name: 'queued',
    value: ({ queued }) => queued,
    show: ({ queued, queuedBytes }) => `${count(queued)} · ${bytes(queuedBytes)}`,
  },
  {
    name: 'back-pressure',
    value: ({ backPressure }) => backPressure,
    show: ({ backPressure }) => (backPressure === undefined ? '–' : backPressure.toFixed(2)),
  },
  {
    name: 'reloads',
    value: ({ reloads }) => reloads.failures,
    show: ({ reloads: { successes, failures } }) =>
      `${count(successes)}${failures > 0 ? ` · ${count(failures)} failed` : ''}`,
  },
]

interface PipelineTableProps {
  readonly rows: readonly PipelineRow[]
  readonly chosen: string | undefined
  readonly choose: (id: string) => void
}

export function PipelineTable({ rows, chosen, choose }: PipelineTableProps) {
  const [order, setOrder] = useState<{ name: string; isDown: boolean }>({ name: '', isDown: true })
  const column = columns.find(({ name }) => name === order.name)
  const sorted =
    column === undefined
      ? rows
      : [...rows].sort((a, b) => compare(column.value(a), column.value(b)) * (order.isDown ? -1 : 1))
  return (
    <section class="card scroll" aria-label="Pipelines" tabIndex={0}>
      <table class="grid pipelines">
        <thead>
          <tr>
            <th>pipeline</th>
            {columns.map(({ name }) => (
              <SortTitle
                key={name}
                title={name}
                isNumber
                isDown={order.name === name ? order.isDown : undefined}
                sort={(isDown) => setOrder({ name, isDown })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.id} aria-selected={row.id === chosen}>
              <td>
                <a
                  href={`/ui/flow/${encodeURIComponent(row.id)}`}
                  onClick={(event) => {
                    event.preventDefault()
                    choose(row.id)
                  }}
                >
                  {row.id}
                </a>
              </td>
              {columns.map(({ name, show }) => (
                <td key={name} class="num">
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function compare(a: number | string | undefined, b: number | string | undefined): number {
  return Number(a ?? -1) - Number(b ?? -1)
}
