/** The interface of a highlighter, which the fetch phase calls for each hit. */
import type { DocumentSource } from '../../source/document-source.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'

export interface Highlighter {
  /** Returns fragments by field; undefined without any. */
  highlight(
    leaf: SearchLeaf,
    doc: number,
    source: DocumentSource,
  ): ReadonlyMap<string, readonly string[]> | undefined
}
