/** The fields of the indices that are searched, and which of them is the time. */
import { askSearch } from '../api/ask.ts'
import { type Loaded, useData } from '../parts/use-data.ts'

export interface Field {
  readonly name: string
  readonly type: string
  readonly isAggregatable: boolean
}

export interface Fields {
  readonly all: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  readonly timeField: string | undefined
  readonly indices: readonly string[]
}

interface Caps {
  readonly indices?: readonly string[]
  readonly fields: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly type: string; readonly aggregatable: boolean; readonly metadata_field?: boolean }
        >
      >
    >
  >
}

export function useFields(index: string): Loaded<Fields> {
  return useData(index, async (signal) => {
    const path = `/${encodeURIComponent(index)}/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=true`
    return fieldsOf(await askSearch<Caps>(path, { signal }))
  })
}

function fieldsOf({ fields, indices = [] }: Caps): Fields {
  const all = Object.entries(fields)
    .flatMap(([name, kinds]) => {
      const known = Object.values(kinds)
      const [first] = known
      if (
        first === undefined ||
        known.some(({ metadata_field }) => metadata_field) ||
        first.type === 'object' ||
        first.type === 'nested'
      )
        return []
      const type = known.map((kind) => kind.type).join(' or ')
      return { name, type, isAggregatable: known.every(({ aggregatable }) => aggregatable) }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const dates = all.filter(({ type }) => type === 'date' || type === 'date_nanos').map(({ name }) => name)
  const timeField = dates.includes('@timestamp')
    ? '@timestamp'
    : (dates.find((name) => /time|date/i.test(name)) ?? dates[0])
  return { all, byName: new Map(all.map((field) => [field.name, field])), timeField, indices }
}

/** Texts are found by their words and counted by their keyword, where they have one. */
export function countedName(fields: Fields, name: string): string | undefined {
  if (fields.byName.get(name)?.isAggregatable) return name
  const keyword = `${name}.keyword`
  return fields.byName.get(keyword)?.isAggregatable ? keyword : undefined
}
