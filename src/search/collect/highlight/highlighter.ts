/** `highlight` of hits. */
import type { DocumentSource } from '../document-source.ts'
import type { SearchLeaf } from '../sort-key.ts'

export interface Highlighter {
  /** Fragments by field; undefined without any. */
  highlight(leaf: SearchLeaf, doc: number, source: DocumentSource): ReadonlyMap<string, string[]> | undefined
}
