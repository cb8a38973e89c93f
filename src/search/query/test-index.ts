/** A small index for tests: documents go through the real mapping into real segments. */

import { parseDocument } from '../mapping/documents/document-parser.ts'
import { Mapping } from '../mapping/mapping.ts'
import { shortestFloat } from '../request/float-text.ts'
import type { JsonObject } from '../request/json-object.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { LeafReader } from '../segment/segment.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { type IndexSettings, mappingContext } from './binding/mapping-context.ts'
import { bindQuery, compileQuery, parseQuery } from './dsl/parse-query.ts'
import type { CompiledQuery, CompileSettings } from './exec/compiled-query.ts'

interface TestDocument {
  readonly id: string
  readonly source: JsonObject
  readonly routing?: string
}

export class TestIndex {
  mapping: Mapping
  leaves: LeafReader[] = []
  readonly #settings: Partial<IndexSettings>
  #seqNo = 0

  constructor(mapping: JsonObject = {}, settings: Partial<IndexSettings> = {}) {
    this.mapping = Mapping.create(mapping)
    this.#settings = settings
  }

  /** Adds one segment; ids continue unless they are given. */
  add(...documents: readonly (JsonObject | TestDocument)[]): this {
    const builder = new SegmentBuilder(`_${this.leaves.length}`)
    for (const given of documents) {
      const document: TestDocument =
        typeof given['id'] === 'string' && 'source' in given
          ? (given as unknown as TestDocument)
          : { id: String(this.#seqNo), source: given as JsonObject }
      const json = JSON.stringify(document.source)
      const raw = new TextEncoder().encode(json)
      const parsed = parseDocument(
        { id: document.id, routing: document.routing, source: JSON.parse(json), raw },
        this.mapping,
      )
      this.mapping = parsed.mapping
      builder.add({
        id: document.id,
        routing: document.routing,
        source: raw,
        seqNo: this.#seqNo++,
        version: 1,
        primaryTerm: 1,
        fields: parsed.fields,
        nested: parsed.nested,
      })
    }
    const last = this.leaves.at(-1)
    const base = last === undefined ? 0 : last.base + last.segment.docCount
    this.leaves.push({ segment: builder.build(), live: null, base })
    return this
  }

  /** Deletes a document with the nested objects before it. */
  delete(id: string): void {
    this.leaves = this.leaves.map((leaf) => {
      const doc = leaf.segment.findId(id)
      if (doc === -1) return leaf
      const live = leaf.live?.clone() ?? BitSet.full(leaf.segment.docCount)
      live.remove(doc)
      return { ...leaf, live }
    })
  }

  compile(query: unknown, settings: Partial<CompileSettings> = {}): CompiledQuery {
    const context = mappingContext(this.mapping, {
      index: 'test',
      now: Date.UTC(2024, 5, 15),
      ...this.#settings,
    })
    const bound = bindQuery(parseQuery(query), context)
    return compileQuery(bound, { leaves: this.leaves, ...settings })
  }

  /** The ids of the matches, in index order. */
  find(query: unknown): string[] {
    const compiled = this.compile(query)
    return this.leaves.flatMap((leaf) =>
      Array.from(compiled.matching(leaf).array(), (doc) => leaf.segment.id(doc)),
    )
  }

  /** The scores by id, as answers print them. */
  scores(query: unknown, settings: Partial<CompileSettings> = {}): Record<string, number> {
    const compiled = this.compile(query, settings)
    const scores: Record<string, number> = {}
    for (const leaf of this.leaves) {
      const found = compiled.scores(leaf)
      found.docs.forEach((doc, index) => {
        scores[leaf.segment.id(doc)] = shortestFloat(found.scores[index]!)
      })
    }
    return scores
  }
}
