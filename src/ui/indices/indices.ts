/** What the store says of its indices, as rows. */
export interface CatIndex {
  readonly index: string
  readonly health: string
  readonly status: string
  readonly 'docs.count': string | null
  readonly 'docs.deleted': string | null
  readonly 'segments.count'?: string | null
  readonly 'store.size': string | null
  readonly 'creation.date.string': string | null
}

export interface IndexRow {
  readonly name: string
  readonly health: string
  readonly isOpen: boolean
  readonly isHidden: boolean
  readonly documents: number
  readonly deleted: number
  readonly segments: number
  readonly bytes: number
  readonly created: string
  readonly aliases: readonly string[]
  readonly stream: string | undefined
}

export type Aliases = Readonly<Record<string, { readonly aliases: Readonly<Record<string, unknown>> }>>
export interface Streams {
  readonly data_streams: readonly {
    readonly name: string
    readonly indices: readonly { readonly index_name: string }[]
    readonly template?: string
    readonly generation?: number
    readonly timestamp_field?: { readonly name: string }
  }[]
}

export function indexRows(cat: readonly CatIndex[], aliases: Aliases, { data_streams }: Streams): IndexRow[] {
  const streamOf = new Map(
    data_streams.flatMap(({ name, indices }) => indices.map(({ index_name }) => [index_name, name] as const)),
  )
  return cat.map((row) => ({
    name: row.index,
    health: row.health,
    isOpen: row.status === 'open',
    isHidden: row.index.startsWith('.'),
    documents: Number(row['docs.count'] ?? 0),
    deleted: Number(row['docs.deleted'] ?? 0),
    segments: Number(row['segments.count'] ?? 0),
    bytes: Number(row['store.size'] ?? 0),
    created: row['creation.date.string'] ?? '',
    aliases: Object.hasOwn(aliases, row.index) ? Object.keys(aliases[row.index]?.aliases ?? {}) : [],
    stream: streamOf.get(row.index),
  }))
}

/** `*` stands for anything; a text without one is looked for anywhere in the name. */
export function matches(name: string, pattern: string): boolean {
  const wanted = pattern.trim().toLowerCase()
  const own = name.toLowerCase()
  if (!wanted.includes('*')) return own.includes(wanted)
  const [first = '', ...rest] = wanted.split('*')
  if (!own.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    if (index === rest.length - 1) return own.length - part.length >= at && own.endsWith(part)
    const found = own.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at === own.length
}

interface MappingLine {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly more: string
}

/** A mapping as lines of a tree: fields with their type and whatever else was said about them. */
export function mappingLines(properties: unknown, depth = 0): MappingLine[] {
  if (typeof properties !== 'object' || properties === null || depth > 50) return []
  return Object.entries(properties).flatMap(([name, field]) => {
    const { type, properties: inner, fields, ...rest } = field as Record<string, unknown>
    const more = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
    return [
      { name, depth, type: String(type ?? 'object'), more },
      ...mappingLines(inner, depth + 1),
      ...mappingLines(fields, depth + 1),
    ]
  })
}
