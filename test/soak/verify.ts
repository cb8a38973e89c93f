/** Reads back every document and every line of the file, and compares them with what was acknowledged. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Sender } from './sender.ts'
import { SequenceSet } from './sequence-set.ts'

export interface Comparison {
  readonly place: 'store' | 'file'
  /** Documents or lines. */
  readonly total: number
  readonly distinct: number
  readonly duplicates: number
  /** Acknowledged and not there. */
  readonly lost: number
  /** The first of them, as `via seq`. */
  readonly examples: readonly string[]
  /** There and never sent. */
  readonly unknown: number
}

const pageSize = 5000

class Found {
  total = 0
  #unknown = 0
  readonly #senders: readonly Sender[]
  readonly #sets = new Map<string, SequenceSet>()

  constructor(senders: readonly Sender[]) {
    this.#senders = senders
    for (const { via } of senders) this.#sets.set(via, new SequenceSet())
  }

  add(via: string, sequence: number): void {
    this.total += 1
    const sender = this.#senders.find((one) => one.via === via)
    if (sender === undefined || !(sequence >= 0 && sequence < sender.sent)) this.#unknown += 1
    else this.#sets.get(via)!.add(sequence)
  }

  compare(place: Comparison['place']): Comparison {
    let distinct = 0
    let lost = 0
    const examples: string[] = []
    for (const { via, acknowledged } of this.#senders) {
      const found = this.#sets.get(via)!
      const missing = acknowledged.missingIn(found)
      distinct += found.size
      lost += missing.count
      examples.push(...missing.first.map((sequence) => `${via} ${sequence}`))
    }
    const duplicates = this.total - distinct - this.#unknown
    return { place, total: this.total, distinct, duplicates, lost, examples, unknown: this.#unknown }
  }
}

export async function compareFile(path: string, senders: readonly Sender[]): Promise<Comparison> {
  const found = new Found(senders)
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const [via = '', sequence = ''] = line.split(' ')
    found.add(via, sequence === '' ? Number.NaN : Number(sequence))
  }
  return found.compare('file')
}

interface Page {
  _scroll_id: string
  hits: { hits: { fields?: { 'via.keyword'?: string[]; seq?: number[] } }[] }
}

export async function compareStore(search: string, senders: readonly Sender[]): Promise<Comparison> {
  await ask(`${search}/soak-*/_refresh`, {})
  const found = new Found(senders)
  const query = { size: pageSize, _source: false, sort: ['_doc'], docvalue_fields: ['via.keyword', 'seq'] }
  let page = await ask<Page>(`${search}/soak-*/_search?scroll=1m`, query)
  while (page.hits.hits.length > 0) {
    for (const { fields } of page.hits.hits) {
      found.add(fields?.['via.keyword']?.[0] ?? '', fields?.seq?.[0] ?? Number.NaN)
    }
    page = await ask<Page>(`${search}/_search/scroll`, { scroll: '1m', scroll_id: page._scroll_id })
  }
  return found.compare('store')
}

export async function ask<T>(url: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  })
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
