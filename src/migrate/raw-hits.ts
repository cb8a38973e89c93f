/** Hits of a search with their sources as they were written: numbers keep their digits, members their order. */
import { eachElement, eachMember, skipSpace } from './json-scan.ts'

export interface StoredDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: number
  readonly seqNo: number
  /** JSON text; empty when the index keeps no sources. */
  readonly source: string
}

export function rawHits(answer: string): StoredDocument[] {
  const found: StoredDocument[] = []
  eachMember(answer, skipSpace(answer, 0), (name, start) => {
    if (name !== 'hits') return
    eachMember(answer, start, (inner, list) => {
      if (inner === 'hits') eachElement(answer, list, (hit) => found.push(rawHit(answer, hit)))
    })
  })
  return found
}

function rawHit(answer: string, at: number): StoredDocument {
  let [index, id, source] = ['', '', '']
  let [version, seqNo] = [0, -1]
  let routing: string | undefined
  eachMember(answer, at, (name, start, end) => {
    switch (name) {
      case '_index':
        index = JSON.parse(answer.slice(start, end)) as string
        break
      case '_id':
        id = JSON.parse(answer.slice(start, end)) as string
        break
      case '_routing':
        routing = JSON.parse(answer.slice(start, end)) as string
        break
      case '_version':
        version = Number(answer.slice(start, end))
        break
      case '_seq_no':
        seqNo = Number(answer.slice(start, end))
        break
      case '_source':
        source = answer.slice(start, end)
    }
  })
  return { index, id, routing, version, seqNo, source }
}
