/**
 * Renders the items of a bulk answer. Thousands of them differ only in id and numbers, so one of each shape
 * is rendered as JSON and the others are byte copies with the id and digits patched in.
 */

import { writeJson } from '../../../search/answer/json-text.ts'
import type { WriteAnswer } from '../../../search/index/documents/document-writes.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { backslash, quote, zero } from '../../../text/ascii.ts'
import type { Call } from '../call.ts'
import { errorObject } from '../error-envelope.ts'
import { writeBody } from './document-answers.ts'

export function bulkItem(answer: WriteAnswer, call: Call): JsonObject {
  if (!('error' in answer))
    return { [answer.kind]: { ...writeBody(answer, call.showsType), status: answer.status } }
  const { kind, index, id, error } = answer
  const body = {
    _index: String(error.details['index'] ?? index),
    ...(call.showsType && { _type: '_doc' }),
    _id: id ?? null,
    status: error.status,
    error: errorObject(error, call.flag('error_trace')),
  }
  return { [kind]: body }
}

type Success = Exclude<WriteAnswer, { readonly error: unknown }>

/** The items separated by commas. */
export function bulkBytes(
  answers: readonly WriteAnswer[],
  itemOf: (answer: WriteAnswer) => JsonObject,
): Uint8Array {
  const items = new ItemWriter(itemOf)
  for (let i = 0; i < answers.length; i++) {
    const answer = answers[i]!
    if (i > 0) items.comma()
    // Answers with an error, with a document or without a sequence number have a shape of their own.
    if ('error' in answer || answer.document !== undefined || answer.primaryTerm === 0)
      items.text(writeJson(itemOf(answer)))
    else items.add(answer, answers.length - i)
  }
  return items.bytes
}

/** A placeholder that no answer contains: the position of the id. */
const mark = '\u0000'
const maxInteger = 0x7fff_ffff

class ItemWriter {
  readonly #itemOf: (answer: WriteAnswer) => JsonObject
  readonly #known = new Map<string, readonly string[]>()
  #bytes = Buffer.allocUnsafe(1024)
  #at = 0
  /** The last item if its id is plain ASCII, as the template of the next. */
  #last: Success | undefined
  #from = 0
  #length = 0
  /** The offsets of id, version and sequence number in the last item. */
  #id = 0
  #version = 0
  #versionDigits = 0
  #seqNo = 0
  #seqNoDigits = 0

  constructor(itemOf: (answer: WriteAnswer) => JsonObject) {
    this.#itemOf = itemOf
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  text(text: string): void {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#reserve(3 * text.length)
    this.#at += this.#bytes.write(text, this.#at, 'utf8')
  }

  comma(): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = 44
  }

  /** `left` is the number of remaining items, including this one. */
  add(answer: Success, left: number): void {
    const last = this.#last
    if (last !== undefined && isSameKind(answer, last) && this.#copy(answer, last.id.length)) return
    const parts = this.#partsFor(answer)
    const id = JSON.stringify(answer.id)
    const version = String(answer.version)
    const seqNo = String(answer.seqNo)
    const from = this.#at
    this.text(`${parts[0]}${id}${parts[1]}${version}${parts[2]}${seqNo}${parts[3]}`)
    this.#from = from
    this.#length = this.#at - from
    const tail = parts[3]!.length
    this.#seqNoDigits = seqNo.length
    this.#seqNo = this.#length - tail - seqNo.length
    this.#versionDigits = version.length
    this.#version = this.#seqNo - parts[2]!.length - version.length
    this.#id = parts[0]!.length + 1
    const isPlain =
      this.#length === parts.join('').length + answer.id.length + 2 + version.length + seqNo.length
    this.#last = isPlain ? answer : undefined
    this.#reserve(left * (this.#length + 2))
  }

  /** Copies the last item and patches it; false when the new values do not fit. */
  #copy({ id, version, seqNo }: Success, idLength: number): boolean {
    if (id.length !== idLength || version > maxInteger || seqNo > maxInteger) return false
    const at = this.#at
    this.#reserve(this.#length)
    const bytes = this.#bytes
    bytes.copyWithin(at, this.#from, this.#from + this.#length)
    for (let i = 0, to = at + this.#id; i < idLength; i++, to++) {
      const code = id.charCodeAt(i)
      if (code < 32 || code > 126 || code === quote || code === backslash) return false
      bytes[to] = code
    }
    if (!writeDigits(bytes, at + this.#version, this.#versionDigits, version)) return false
    if (!writeDigits(bytes, at + this.#seqNo, this.#seqNoDigits, seqNo)) return false
    this.#from = at
    this.#at = at + this.#length
    return true
  }

  #partsFor(answer: Success): readonly string[] {
    const { kind, index, result, status, copies, isForced, primaryTerm } = answer
    const key = `${kind} ${result} ${status} ${copies} ${isForced} ${primaryTerm} ${index}`
    let parts = this.#known.get(key)
    if (parts === undefined) {
      parts = partsOf(this.#itemOf({ ...answer, id: mark, version: -1, seqNo: -2 }))
      this.#known.set(key, parts)
    }
    return parts
  }

  #reserve(length: number): void {
    const needed = this.#at + length
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
  }
}

function isSameKind(one: Success, other: Success): boolean {
  return (
    one.index === other.index &&
    one.kind === other.kind &&
    one.result === other.result &&
    one.status === other.status &&
    one.copies === other.copies &&
    one.isForced === other.isForced &&
    one.primaryTerm === other.primaryTerm
  )
}

/** False unless the number has exactly that many digits. */
function writeDigits(bytes: Uint8Array, at: number, digits: number, value: number): boolean {
  let rest = value
  for (let i = digits - 1; i > 0; i--) {
    const tenth = (rest / 10) | 0
    bytes[at + i] = zero + rest - 10 * tenth
    rest = tenth
  }
  bytes[at] = zero + rest
  return rest < 10 && (rest > 0 || digits === 1)
}

/** The texts before, between and after id, version and sequence number. */
function partsOf(item: JsonObject): readonly string[] {
  const [head, rest] = writeJson(item).split(JSON.stringify(mark)) as [string, string]
  const [before, behind] = rest.split('"_version":-1') as [string, string]
  const [between, tail] = behind.split('"_seq_no":-2') as [string, string]
  return [head, `${before}"_version":`, `${between}"_seq_no":`, tail]
}
