/** One event of the tail: a line with how much was changed, and everything about it when it is opened. */
import { useMemo } from 'preact/hooks'
import { ChangesView } from '../parts/changes-view.tsx'
import { flatten, valueText } from '../parts/documents.ts'
import { changesBetween, type FieldChange } from '../parts/event-changes.ts'
import { clock } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import type { TailRow } from './tail-buffer.ts'

export type ShownSide = 'before' | 'after' | 'changes'

interface TailLineProps {
  readonly row: TailRow
  readonly side: ShownSide
  readonly isOpen: boolean
  readonly toggle: () => void
}

export function TailLine({ row, side, isOpen, toggle }: TailLineProps) {
  const event = side === 'before' ? (row.before ?? row.after?.[0]) : (row.after?.[0] ?? row.before)
  const changes = useMemo(
    () => (row.before === null || row.after === null ? [] : changesBetween(row.before, row.after[0])),
    [row],
  )
  const isDropped = row.after !== null && row.after.length === 0
  return (
    <li class={isOpen ? 'opened' : ''}>
      <button type="button" class="plain tail-line" aria-expanded={isOpen} onClick={toggle}>
        <span class="mono muted">{clock(row.time)}</span>
        {isDropped ? (
          <span class="tag bad">dropped</span>
        ) : (
          row.before !== null && row.after !== null && <Counts changes={changes} copies={row.after.length} />
        )}
        <span class="mono tail-text">{summaryOf(event)}</span>
      </button>
      {isOpen && (
        <div class="tail-detail">
          {row.before !== null && row.after !== null && side === 'changes' ? (
            isDropped ? (
              <>
                <p>The plugin dropped this event:</p>
                <JsonView value={row.before} label="Event before" />
              </>
            ) : (
              row.after.map((after, index) => (
                <ChangesView
                  key={String(index)}
                  changes={changesBetween(row.before, after)}
                  label={`Changes of event ${index + 1}`}
                  hasSame
                />
              ))
            )
          ) : (
            <JsonView value={side === 'before' ? row.before : (row.after ?? row.before)} label="Event" />
          )}
        </div>
      )}
    </li>
  )
}

function Counts({ changes, copies }: { changes: readonly FieldChange[]; copies: number }) {
  const of = (kind: FieldChange['kind']) => changes.filter((change) => change.kind === kind).length
  const [added, changed, removed] = [of('added'), of('changed'), of('removed')]
  if (added + changed + removed === 0 && copies === 1) return <span class="tag">same</span>
  return (
    <span class="tag" title={`${added} added, ${changed} changed, ${removed} removed`}>
      {added > 0 && <span class="ok">+{added}</span>}
      {changed > 0 && <span class="warn">~{changed}</span>}
      {removed > 0 && <span class="bad">−{removed}</span>}
      {copies > 1 && <span>×{copies}</span>}
    </span>
  )
}

const maxText = 400

function summaryOf(event: unknown): string {
  const fields = new Map(flatten(event))
  const message = fields.get('message')
  const text =
    message !== undefined
      ? valueText(message)
      : [...fields].map(([name, value]) => `${name}=${valueText(value)}`).join(' ')
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}
