/** Content types of requests and answers: JSON, NDJSON, YAML and their vendor types. */
type BodyKind = 'json' | 'ndjson' | 'yaml'

export interface MediaType {
  readonly kind: BodyKind
  /** The vendor type to echo, if one was sent. */
  readonly vendor: string | undefined
  /** `compatible-with`. */
  readonly version: number | undefined
}

const kinds: ReadonlyMap<string, BodyKind> = new Map([
  ['json', 'json'],
  ['x-json', 'json'],
  ['x-ndjson', 'ndjson'],
  ['ndjson', 'ndjson'],
  ['yaml', 'yaml'],
  ['x-yaml', 'yaml'],
])

const form = /^application\/(?:vnd\.(elasticsearch|opensearch)\+)?([a-z-]+)$/

/** Undefined for unsupported types. */
export function parseMediaType(header: string): MediaType | undefined {
  const [essence = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (essence === 'text/yaml') return { kind: 'yaml', vendor: undefined, version: undefined }
  const [, vendor, name] = form.exec(essence) ?? []
  const kind = name === undefined ? undefined : kinds.get(name)
  if (kind === undefined) return undefined
  const compatible = parameters.find((parameter) => parameter.startsWith('compatible-with='))
  return { kind, vendor, version: compatible === undefined ? undefined : Number(compatible.slice(16)) }
}

/** The first supported type of an Accept header. */
export function acceptedType(header: string | undefined): MediaType | undefined {
  if (header === undefined) return undefined
  for (const offer of header.split(',')) {
    const type = parseMediaType(offer)
    if (type !== undefined) return type
  }
  return undefined
}

/** The content type of a JSON answer. */
export function jsonTypeFor(asked: MediaType | undefined, isElasticsearch8: boolean): string {
  if (asked?.vendor !== undefined)
    return `application/vnd.${asked.vendor}+json;compatible-with=${asked.version ?? 8}`
  return isElasticsearch8 ? 'application/json' : 'application/json; charset=UTF-8'
}
