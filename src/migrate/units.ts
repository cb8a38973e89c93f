/** What a migration moves: indices and data streams of the source whose names match, with their backing indices. */
import { part, type SearchStore } from './search-store.ts'

export interface Unit {
  readonly name: string
  readonly isStream: boolean
  /** The index itself, or the backing indices of a stream, oldest first. */
  readonly indices: readonly string[]
}

interface Selection {
  readonly units: readonly Unit[]
  /** Closed indices cannot be read. */
  readonly closed: readonly string[]
}

interface Resolved {
  readonly indices: readonly { readonly name: string; readonly attributes: readonly string[] }[]
  readonly data_streams: readonly {
    readonly name: string
    readonly backing_indices: string | readonly string[]
  }[]
}

/** Names that begin with a dot belong to the products themselves, unless a pattern names them. */
export async function selectUnits(store: SearchStore, patterns: readonly string[]): Promise<Selection> {
  const path = `/_resolve/index/${patterns.map(part).join(',')}?expand_wildcards=open,closed,hidden`
  const { indices, data_streams } = await store.json<Resolved>('GET', path)
  const isNamed = (name: string) => !name.startsWith('.') || patterns.some((one) => one.startsWith('.'))
  const streams = data_streams
    .filter(({ name }) => isNamed(name))
    .map(({ name, backing_indices }) => ({ name, isStream: true, indices: [backing_indices].flat() }))
  const backing = new Set(data_streams.flatMap(({ backing_indices }) => backing_indices))
  const own = indices.filter(({ name }) => !backing.has(name) && !name.startsWith('.ds-') && isNamed(name))
  const isClosed = ({ attributes }: { attributes: readonly string[] }) => attributes.includes('closed')
  return {
    units: [
      ...own.filter((one) => !isClosed(one)).map(({ name }) => ({ name, isStream: false, indices: [name] })),
      ...streams,
    ],
    closed: own.filter(isClosed).map(({ name }) => name),
  }
}
