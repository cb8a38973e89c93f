/** The hits of a page as rows that open. Keys move from row to row; a click on a column's name sorts by it. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { flatten, type Hit, marked, shownText } from '../parts/documents.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Filter } from './filters.ts'
import { HitDetail } from './hit-detail.tsx'
import type { SearchState } from './search-state.ts'
import { timeText } from './time-text.ts'
import { countedName, type Fields } from './use-fields.ts'

interface HitsTableProps {
  readonly hits: readonly Hit[]
  readonly state: SearchState
  readonly fields: Fields
  readonly isUtc: boolean
  readonly opened: ReadonlySet<string>
  readonly toggle: (id: string) => void
  readonly sortBy: (name: string, isAdded: boolean) => void
  readonly toggleColumn: (name: string) => void
  readonly moveColumn: (name: string) => void
  readonly togglePin: (name: string) => void
  readonly addFilter: (filter: Filter) => void
}

/** Opener, time and pinned columns; further ones are not kept in sight. */
const maxPins = 5

/** Columns when nobody chose any. */
function columnsFor(state: SearchState, { byName }: Fields): readonly string[] {
  // Pinned ones come first: they stay at the left edge.
  if (state.columns.length > 0)
    return [
      ...state.columns.filter((name) => state.pinned.includes(name)),
      ...state.columns.filter((name) => !state.pinned.includes(name)),
    ]
  return byName.has('message') ? ['message'] : ['_source']
}

export function HitsTable(props: HitsTableProps) {
  const { hits, state, fields, isUtc, opened, toggle } = props
  const columns = columnsFor(state, fields)
  const body = useRef<HTMLTableSectionElement>(null)
  const { timeField } = fields
  const pinnedCount = columns.filter((name) => state.pinned.includes(name)).length
  const head = useRef<HTMLTableRowElement>(null)
  useLayoutEffect(() => {
    // What is pinned begins where the columns before it end.
    const cells = [...(head.current?.children ?? [])] as HTMLElement[]
    const table = head.current?.closest('table')
    let left = 0
    for (const [index, cell] of cells.slice(0, pinnedColumns).entries()) {
      table?.style.setProperty(`--pin-${index}`, `${left}px`)
      left += cell.offsetWidth
    }
  })
  const pinnedColumns = pinnedCount === 0 ? 0 : pinnedCount + (timeField === undefined ? 1 : 2)
  const key = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (!target.matches('button.expander') || event.ctrlKey || event.metaKey || event.altKey) return
    const all = [...(body.current?.querySelectorAll<HTMLButtonElement>('button.expander') ?? [])]
    const at = all.indexOf(target as HTMLButtonElement)
    const isOpen = target.getAttribute('aria-expanded') === 'true'
    const move: Readonly<Record<string, () => void>> = {
      ArrowDown: () => all[at + 1]?.focus(),
      j: () => all[at + 1]?.focus(),
      ArrowUp: () => all[at - 1]?.focus(),
      k: () => all[at - 1]?.focus(),
      PageDown: () => all[Math.min(all.length - 1, at + 10)]?.focus(),
      PageUp: () => all[Math.max(0, at - 10)]?.focus(),
      Home: () => all[0]?.focus(),
      End: () => all.at(-1)?.focus(),
      ArrowRight: () => !isOpen && target.click(),
      ArrowLeft: () => isOpen && target.click(),
    }
    const act = move[event.key]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <table class={`grid hits lines-${state.lines} pins-${Math.min(maxPins, pinnedColumns)}`}>
      <thead>
        <tr ref={head}>
          <th class="opener">
            <span class="unseen">Open</span>
          </th>
          {timeField !== undefined && (
            <Head
              name={timeField}
              title={`${timeField} (${isUtc ? 'UTC' : zoneName()})`}
              {...props}
              isFixed
            />
          )}
          {columns.map((name) => (
            <Head
              key={name}
              name={name}
              title={name === '_source' ? 'document' : name}
              {...props}
              isFixed={state.columns.length === 0}
            />
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={key}>
        {hits.map((hit) => (
          <Row
            key={`${hit._index} ${hit._id}`}
            hit={hit}
            columns={columns}
            isOpen={opened.has(hit._id)}
            open={() => toggle(hit._id)}
            {...props}
          />
        ))}
      </tbody>
    </table>
  )
}

function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function Head({
  name,
  title,
  state,
  fields,
  sortBy,
  toggleColumn,
  moveColumn,
  togglePin,
  isFixed,
}: HitsTableProps & { name: string; title: string; isFixed?: boolean }) {
  // A text is sorted by its keyword, where it has one.
  const key = countedName(fields, name)
  const isDefault = state.sort.length === 0 && name === fields.timeField
  const order =
    state.sort.includes(`-${key}`) || isDefault
      ? 'descending'
      : state.sort.includes(key ?? name)
        ? 'ascending'
        : 'none'
  return (
    <th
      aria-sort={key === undefined ? undefined : order}
      class={name === fields.timeField ? 'time' : name === 'message' || name === '_source' ? 'wide' : ''}
    >
      {key !== undefined ? (
        <button
          type="button"
          class="sort"
          title="Sorts; with Shift as a further key"
          onClick={(event) => sortBy(key, event.shiftKey)}
        >
          {title}
        </button>
      ) : (
        <span>{title}</span>
      )}
      {!isFixed && (
        <span class="column-actions">
          {state.columns[0] !== name && (
            <IconButton
              icon="previous"
              label={`Move column ${name} to the left`}
              title="To the left"
              onClick={() => moveColumn(name)}
            />
          )}
          <IconButton
            icon="pin"
            label={`Pin column ${name}`}
            title="Keep in sight"
            isPressed={state.pinned.includes(name)}
            onClick={() => togglePin(name)}
          />
          <IconButton
            icon="close"
            label={`Remove column ${name}`}
            title="Remove"
            onClick={() => toggleColumn(name)}
          />
        </span>
      )}
    </th>
  )
}

interface RowProps extends HitsTableProps {
  readonly hit: Hit
  readonly columns: readonly string[]
  readonly isOpen: boolean
  readonly open: () => void
}

function Row({ hit, columns, isOpen, open, fields, isUtc, state, toggleColumn, addFilter }: RowProps) {
  const values = useMemo(() => new Map(flatten(hit._source)), [hit])
  const { timeField } = fields
  const time = timeField === undefined ? undefined : timeText(values.get(timeField), isUtc)
  return (
    <>
      <tr
        class={isOpen ? 'opened' : ''}
        onClick={(event) => {
          // A click that selects text, or hits a control, opens nothing.
          if ((event.target as Element).closest('button, a, input') || String(getSelection()) !== '') return
          open()
        }}
      >
        <td class="opener">
          <button
            type="button"
            class="plain icon small expander"
            aria-expanded={isOpen}
            aria-label={`Document of ${time ?? hit._id}`}
            onClick={open}
          >
            <Icon name={isOpen ? 'down' : 'next'} />
          </button>
        </td>
        {timeField !== undefined && <td class="time mono">{time}</td>}
        {columns.map((name) => (
          <td key={name} class={name === 'message' || name === '_source' ? 'wide' : ''}>
            <div class="cell">
              {name === '_source' ? (
                <Summary hit={hit} values={values} timeField={timeField} />
              ) : (
                <Cell text={cellText(hit, name, values)} />
              )}
            </div>
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr class="detail">
          <td colSpan={columns.length + 2}>
            <HitDetail
              hit={hit}
              state={state}
              timeField={timeField}
              isUtc={isUtc}
              toggleColumn={toggleColumn}
              addFilter={addFilter}
            />
          </td>
        </tr>
      )}
    </>
  )
}

const maxCell = 2000

function cellText(hit: Hit, name: string, values: ReadonlyMap<string, unknown>): string {
  if (name === '_id') return hit._id
  if (name === '_index') return hit._index
  return shownText(hit, name, values.get(name))
}

function Cell({ text }: { text: string }) {
  const shown = text.length > maxCell ? `${text.slice(0, maxCell)}…` : text
  return (
    <>
      {marked(shown).map(({ text: piece, isMarked }, index) =>
        isMarked ? <mark key={String(index)}>{piece}</mark> : piece,
      )}
    </>
  )
}

const maxSummary = 24

function Summary({
  hit,
  values,
  timeField,
}: {
  hit: Hit
  values: ReadonlyMap<string, unknown>
  timeField: string | undefined
}) {
  const shown = [...values].filter(([name]) => name !== timeField).slice(0, maxSummary)
  return (
    <>
      {shown.map(([name, value]) => (
        <span key={name} class="pair">
          <span class="pair-name">{name}</span> <Cell text={shownText(hit, name, value).slice(0, 300)} />
        </span>
      ))}
    </>
  )
}
