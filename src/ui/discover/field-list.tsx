/** Fields: those shown as columns, those of these hits, the others. Opening one shows its ten most frequent values. */

import { useMemo, useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { flatten, type Hit } from '../parts/documents.ts'
import { count, percent } from '../parts/format.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import type { Filter } from './filters.ts'
import { type SearchContext, valuesBody } from './request.ts'
import type { SearchState } from './search-state.ts'
import { countedName, type Field, type Fields } from './use-fields.ts'

interface FieldListProps {
  readonly fields: Fields
  readonly hits: readonly Hit[]
  readonly state: SearchState
  readonly context: SearchContext
  readonly searchId: string
  readonly toggleColumn: (name: string) => void
  readonly addFilter: (filter: Filter) => void
}

const shownAtFirst = 60

export function FieldList(props: FieldListProps) {
  const { fields, hits, state } = props
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<string>()
  const [hasAll, setAll] = useState(false)
  const present = useMemo(() => {
    const names = new Set<string>()
    for (const { _source } of hits) for (const [name] of flatten(_source)) names.add(name)
    return names
  }, [hits])
  const wanted = fields.all.filter(
    ({ name }) => name.toLowerCase().includes(search.toLowerCase()) && !isKeywordOf(fields, name),
  )
  const selected = wanted.filter(({ name }) => state.columns.includes(name))
  const here = wanted.filter(({ name }) => present.has(name) && !state.columns.includes(name))
  const others = wanted.filter(({ name }) => !present.has(name) && !state.columns.includes(name))
  const group = (title: string, list: readonly Field[]) =>
    list.length > 0 && (
      <section key={title}>
        <h2 class="muted tiny">
          {title} ({count(list.length)})
        </h2>
        <ul>
          {(hasAll ? list : list.slice(0, shownAtFirst)).map((field) => (
            <li key={field.name}>
              <div class="field-line">
                <button
                  type="button"
                  class="plain field-name"
                  aria-expanded={opened === field.name}
                  onClick={() => setOpened(opened === field.name ? undefined : field.name)}
                >
                  <span>{field.name}</span>
                  <span class="muted tiny">{field.type}</span>
                </button>
                <IconButton
                  icon={state.columns.includes(field.name) ? 'minus' : 'plus'}
                  label={`Column ${field.name}`}
                  title="Show as a column"
                  isPressed={state.columns.includes(field.name)}
                  onClick={() => props.toggleColumn(field.name)}
                />
              </div>
              {opened === field.name && <TopValues {...props} field={field} />}
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <aside class="field-list" aria-label="Fields">
      <SearchBox label="Find a field" value={search} set={setSearch} />
      {group('Columns', selected)}
      {group('In these hits', here)}
      {group('Others', others)}
      {!hasAll && Math.max(here.length, others.length) > shownAtFirst && (
        <button type="button" class="small" onClick={() => setAll(true)}>
          Show all fields
        </button>
      )}
    </aside>
  )
}

/** `message.keyword` is the same field again: it is counted, not listed. */
function isKeywordOf({ byName }: Fields, name: string): boolean {
  return name.endsWith('.keyword') && byName.has(name.slice(0, -'.keyword'.length))
}

interface ValuesAnswer {
  readonly hits: { readonly total: { readonly value: number } }
  readonly aggregations: {
    readonly there: { readonly doc_count: number }
    readonly values: {
      readonly buckets: readonly {
        readonly key: unknown
        readonly key_as_string?: string
        readonly doc_count: number
      }[]
    }
  }
}

function TopValues({
  field,
  fields,
  state,
  context,
  searchId,
  addFilter,
}: FieldListProps & { field: Field }) {
  const counted = countedName(fields, field.name)
  const top = useData(counted && `${searchId} ${counted}`, (signal) =>
    askSearch<ValuesAnswer>(`/${encodeURIComponent(state.index)}/_search?ignore_unavailable=true`, {
      method: 'POST',
      body: valuesBody(state, context, counted!),
      signal,
    }),
  )
  const filter = (value: string | undefined, isNot: boolean) =>
    addFilter({ field: value === undefined ? field.name : counted!, value, isNot, isOff: false })
  const buttons = (value: string | undefined, what: string) => (
    <>
      <IconButton
        icon="plus"
        label={`Only ${what}`}
        title="Only these"
        onClick={() => filter(value, false)}
      />
      <IconButton
        icon="minus"
        label={`Without ${what}`}
        title="Without these"
        onClick={() => filter(value, true)}
      />
    </>
  )
  if (counted === undefined)
    return (
      <div class="top-values">
        <p class="muted tiny">Texts are searched by their words; their values are not counted.</p>
        <div class="line">
          <span class="tiny grow">has the field</span>
          {buttons(undefined, `documents with ${field.name}`)}
        </div>
      </div>
    )
  if (top.error !== undefined) return <Problem error={top.error} doing="Counting values" retry={top.again} />
  if (top.value === undefined) return <Waiting what={`values of ${field.name}`} />
  const total = top.value.hits.total.value
  const { there, values } = top.value.aggregations
  return (
    <div class="top-values">
      <div class="line">
        <span class="tiny grow muted">
          in {count(there.doc_count)} of {count(total)}
        </span>
        {buttons(undefined, `documents with ${field.name}`)}
      </div>
      <ul>
        {values.buckets.map(({ key, key_as_string, doc_count }) => {
          const text = key_as_string ?? String(key)
          const share = total === 0 ? 0 : (doc_count / total) * 100
          return (
            <li key={text} class="top-value">
              <span class="value" title={text}>
                {text === '' ? '(empty)' : text}
              </span>
              <span class="num tiny muted" title={`${count(doc_count)} hits`}>
                {percent(share)}
              </span>
              {buttons(text, `${field.name} ${text}`)}
              <svg class="meter" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
                <rect class="meter-all" width="100" height="3" />
                <rect width={share} height="3" />
              </svg>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
