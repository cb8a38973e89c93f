/**
 * The texts a pipeline is made of, and the ids its plugins get from them: the same SHA-256 ids as
 * Logstash gives, so that dashboards keyed by plugin id survive a switch.
 */
import { hash } from 'node:crypto'
import type { Place } from '../../lang/ast.ts'

/** One configuration text: a file, or the string of `-e`. */
export interface SourcePart {
  readonly protocol: string
  /** File path, or `config_string`. */
  readonly id: string
  readonly text: string
}

export function sha256(text: string): string {
  return hash('sha256', text)
}

/** Hash of the whole pipeline text. */
export function pipelineHash(parts: readonly SourcePart[]): string {
  return sha256(parts.map((part) => part.text).join('\n'))
}

/** The hash that plugin ids of Logstash 5.0 begin with. */
export function oldPipelineHash(parts: readonly SourcePart[]): string {
  return hash('sha1', parts.map((part) => part.text).join('\n'))
}

/** Identity of one vertex: where it stands and what its text is. */
export function sourceId(part: SourcePart, place: Place): string {
  const text = part.text.slice(place.start, place.end)
  return sha256([part.id, part.protocol, place.line, place.column, text].join('|'))
}

/** Ids of all vertices of a graph, given their source ids. */
export function vertexIds(sourceIds: readonly string[]): string[] {
  const graph = sha256([...sourceIds].sort().join(''))
  return sourceIds.map((source) => sha256(`${graph}|${source}`))
}
