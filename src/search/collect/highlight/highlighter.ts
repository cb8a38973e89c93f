/** `highlight` of hits. */
import type { DocumentSource } from '../../source/document-source.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'

export interface Highlighter {
  /** Fragments by field; undefined without any. */
  highlight(leaf: SearchLeaf, doc: number, source: DocumentSource): ReadonlyMap<string, string[]> | undefined
}
