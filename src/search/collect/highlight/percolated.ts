/** Highlights of percolated documents: the documents of the request as the stored query of a hit marks them. */
import type { CompiledQuery } from '../../query/exec/compiled-query.ts'
import { DocumentSource } from '../../source/document-source.ts'
import type { SearchIndex } from '../search-index.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'
import { highlighterOf } from './field-highlighter.ts'
import type { Highlighter } from './highlighter.ts'

type Highlights = Map<string, readonly string[]>

/** The highlighter of a search, which shows those of percolated documents too. */
export function searchHighlighter(
  request: unknown,
  index: SearchIndex,
  query: (leaf: SearchLeaf) => CompiledQuery | undefined,
): Highlighter | undefined {
  const own = highlighterOf(request, index, query)
  if (own === undefined) return undefined
  return {
    highlight(leaf, doc, source) {
      const found: Highlights = new Map(own.highlight(leaf, doc, source))
      addPercolated(found, request, index, leaf, doc, query(leaf))
      return found.size === 0 ? undefined : found
    },
  }
}

function addPercolated(
  found: Highlights,
  request: unknown,
  index: SearchIndex,
  leaf: SearchLeaf,
  doc: number,
  query: CompiledQuery | undefined,
): void {
  const percolated = query?.percolated(leaf.reader, doc) ?? []
  for (const { percolation, slots } of percolated) {
    const { documents, documentCount, name } = percolation
    const stored = slots.length === 0 ? undefined : percolation.storedQuery(leaf.reader, doc)
    if (stored === undefined) continue
    const highlighter = highlighterOf(request, index, () => undefined, stored.query)
    for (const slot of slots) {
      const root = percolation.rootOf(slot)
      const source = new DocumentSource(documents.segment, root)
      const lines = highlighter?.highlight({ ...leaf, reader: documents }, root, source)
      for (const [field, fragments] of lines ?? []) {
        const parts = [...(percolated.length > 1 ? [name] : []), ...(documentCount > 1 ? [slot] : []), field]
        found.set(parts.join('_'), fragments)
      }
    }
  }
}
