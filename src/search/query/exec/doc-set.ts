/**
 * An immutable set of matching documents of one segment (Lucene's DocIdSet) as an interval, a sorted array or
 * a bit set, whichever is smallest. Set operations return new sets or one of the operands.
 */

import { finish, type Steps } from '../../scheduling/steps.ts'
import { gallop, lowerBound } from '../../segment/encoding/binary-search.ts'
import { BitSet } from '../../segment/encoding/bit-set.ts'

/** Array entries and bit set words that a union processes per step. */
const stepEntries = 64 * 1024
/**
 * A bit set takes one bit per document and an array 32 per entry, so arrays are used for sets sparser than
 * this.
 */
const bitsPerEntry = 32

export class DocSet {
  /** The number of documents of the segment. */
  readonly size: number
  readonly count: number
  readonly #from: number
  #list: Uint32Array | null
  #bits: BitSet | null

  private constructor(
    size: number,
    count: number,
    from: number,
    list: Uint32Array | null,
    bits: BitSet | null,
  ) {
    this.size = size
    this.count = count
    this.#from = from
    this.#list = list
    this.#bits = bits
  }

  static none(size: number): DocSet {
    return new DocSet(size, 0, 0, null, null)
  }

  static all(size: number): DocSet {
    return new DocSet(size, size, 0, null, null)
  }

  /** The documents from `from` up to, not including, `to`. */
  static interval(size: number, from: number, to: number): DocSet {
    return from >= to ? DocSet.none(size) : new DocSet(size, to - from, from, null, null)
  }

  /** `docs` must be strictly rising; it is not copied. */
  static ofSorted(size: number, docs: Uint32Array): DocSet {
    const { length } = docs
    if (length === 0) return DocSet.none(size)
    const first = docs[0]!
    if (docs[length - 1]! - first === length - 1) return DocSet.interval(size, first, first + length)
    return new DocSet(size, length, -1, docs, null)
  }

  /** The bit set is not copied. */
  static ofBits(bits: BitSet): DocSet {
    const { count, size } = bits
    if (count === 0) return DocSet.none(size)
    if (count === size) return DocSet.all(size)
    return count * bitsPerEntry < size
      ? new DocSet(size, count, -1, bits.toArray(), null)
      : new DocSet(size, count, -1, null, bits)
  }

  get isEmpty(): boolean {
    return this.count === 0
  }

  get isAll(): boolean {
    return this.count === this.size
  }

  /** The first document when the set is one interval, undefined otherwise. */
  get start(): number | undefined {
    return this.#from === -1 ? undefined : this.#from
  }

  /** The bits of a set that is nothing else, undefined otherwise; callers must not change them. */
  get onlyBits(): BitSet | undefined {
    return this.#list === null && this.#bits !== null ? this.#bits : undefined
  }

  /** The smallest document and one more than the largest; both 0 for an empty set. */
  get bounds(): readonly [from: number, to: number] {
    if (this.#from !== -1) return [this.#from, this.#from + this.count]
    if (this.#list !== null) return [this.#list[0]!, this.#list[this.#list.length - 1]! + 1]
    return [this.#bits!.next(0), this.#bits!.previous(this.size - 1) + 1]
  }

  has(doc: number): boolean {
    if (this.#from !== -1) return doc >= this.#from && doc < this.#from + this.count
    if (this.#bits !== null) return this.#bits.has(doc)
    const list = this.#list!
    const at = lowerBound(list, doc, 0)
    return at < list.length && list[at] === doc
  }

  /** Increments `counts[doc - from]` for each document from `from` up to, not including, `to`. */
  countWithin(from: number, to: number, counts: Uint32Array): void {
    if (this.#from !== -1) {
      const end = Math.min(to, this.#from + this.count)
      for (let doc = Math.max(from, this.#from); doc < end; doc++) counts[doc - from]!++
    } else if (this.#list !== null) {
      const list = this.#list
      for (let at = lowerBound(list, from, 0); at < list.length && list[at]! < to; at++)
        counts[list[at]! - from]!++
    } else {
      const { words } = this.#bits!
      for (let doc = from; doc < to; doc++) {
        // Skips an empty word.
        if ((doc & 31) === 0 && words[doc >>> 5] === 0) doc += 31
        else counts[doc - from]! += (words[doc >>> 5]! >>> (doc & 31)) & 1
      }
    }
  }

  /** Returns the documents in rising order. The array is cached, so callers must not change it. */
  array(): Uint32Array {
    if (this.#list === null) {
      if (this.#bits !== null) this.#list = this.#bits.toArray()
      else {
        const list = new Uint32Array(this.count)
        for (let i = 0; i < list.length; i++) list[i] = this.#from + i
        this.#list = list
      }
    }
    return this.#list
  }

  /** Returns the set as bits. They are cached, so callers must not change them. */
  bits(): BitSet {
    if (this.#bits === null) {
      if (this.#from === -1) this.#bits = BitSet.of(this.size, this.#list!)
      else {
        this.#bits = new BitSet(this.size)
        this.#bits.addRange(this.#from, this.#from + this.count)
      }
    }
    return this.#bits
  }

  and(other: DocSet): DocSet {
    if (this.isEmpty || other.isAll) return this
    if (other.isEmpty || this.isAll) return other
    if (this.#from !== -1) return other.#within(this.#from, this.#from + this.count)
    if (other.#from !== -1) return this.#within(other.#from, other.#from + other.count)
    if (this.#bits !== null && other.#bits !== null) return DocSet.ofBits(this.#bits.clone().and(other.#bits))
    const [small, large] = this.count <= other.count ? [this, other] : [other, this]
    return DocSet.ofSorted(this.size, large.filter(small.array()))
  }

  #within(from: number, to: number): DocSet {
    if (this.#from !== -1) {
      return DocSet.interval(this.size, Math.max(from, this.#from), Math.min(to, this.#from + this.count))
    }
    if (this.#list !== null) {
      const list = this.#list
      const start = lowerBound(list, from, 0)
      return DocSet.ofSorted(this.size, list.subarray(start, lowerBound(list, to, start)))
    }
    if ((to - from) * bitsPerEntry < this.size)
      return DocSet.ofSorted(this.size, membersWithin(this.#bits!, from, to))
    const mask = new BitSet(this.size)
    mask.addRange(from, to)
    return DocSet.ofBits(mask.and(this.#bits!))
  }

  /** Returns the entries of a sorted array that are members. */
  filter(docs: Uint32Array): Uint32Array {
    const kept = new Uint32Array(docs.length)
    let count = 0
    if (this.#from !== -1) {
      const start = lowerBound(docs, this.#from, 0)
      return docs.subarray(start, lowerBound(docs, this.#from + this.count, start))
    }
    if (this.#bits !== null) {
      const { words } = this.#bits
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i]!
        if ((words[doc >>> 5]! & (1 << (doc & 31))) !== 0) kept[count++] = doc
      }
      return kept.subarray(0, count)
    }
    const list = this.#list!
    let at = 0
    for (let i = 0; i < docs.length && at < list.length; i++) {
      const doc = docs[i]!
      if (list[at]! < doc) at = gallop(list, doc, at)
      if (at < list.length && list[at] === doc) kept[count++] = doc
    }
    return kept.subarray(0, count)
  }

  andNot(other: DocSet): DocSet {
    if (this.isEmpty || other.isEmpty) return this
    if (other.isAll) return DocSet.none(this.size)
    // Large sets are subtracted word by word, even if that needs a bit set first.
    if (this.#list !== null && this.#bits === null && this.count * bitsPerEntry < this.size) {
      const list = this.#list
      const kept = new Uint32Array(list.length)
      let count = 0
      for (let i = 0; i < list.length; i++) if (!other.has(list[i]!)) kept[count++] = list[i]!
      return count === list.length ? this : DocSet.ofSorted(this.size, kept.subarray(0, count))
    }
    return DocSet.ofBits(this.bits().clone().andNot(other.bits()))
  }

  complement(): DocSet {
    return DocSet.all(this.size).andNot(this)
  }

  static union(size: number, sets: readonly DocSet[]): DocSet {
    return finish(DocSet.unionSteps(size, sets))
  }

  static *unionSteps(size: number, sets: readonly DocSet[]): Steps<DocSet> {
    const filled = sets.filter(({ isEmpty }) => !isEmpty)
    if (filled.length === 0) return DocSet.none(size)
    if (filled.length === 1) return filled[0]!
    let total = 0
    for (const set of filled) {
      if (set.isAll) return set
      total += set.count
    }
    if (filled.length === 2 && total * bitsPerEntry < size) {
      return DocSet.ofSorted(size, merged(filled[0]!.array(), filled[1]!.array()))
    }
    const bits = new BitSet(size)
    let done = 0
    for (const set of filled) {
      if (set.#from !== -1) bits.addRange(set.#from, set.#from + set.count)
      else if (set.#bits !== null) bits.or(set.#bits)
      else bits.addAll(set.#list!)
      done += set.#list !== null && set.#bits === null ? set.count : size / 32
      if (done < stepEntries) continue
      done = 0
      yield
    }
    return DocSet.ofBits(bits)
  }
}

function membersWithin({ words }: BitSet, from: number, to: number): Uint32Array {
  const members = new Uint32Array(to - from)
  let count = 0
  for (let doc = from; doc < to; doc++) {
    // Skips an empty word.
    if ((doc & 31) === 0 && words[doc >>> 5] === 0) doc += 31
    else if ((words[doc >>> 5]! & (1 << (doc & 31))) !== 0) members[count++] = doc
  }
  return members.subarray(0, count)
}

function merged(one: Uint32Array, other: Uint32Array): Uint32Array {
  const all = new Uint32Array(one.length + other.length)
  let count = 0
  let left = 0
  let right = 0
  while (left < one.length && right < other.length) {
    const a = one[left]!
    const b = other[right]!
    all[count++] = Math.min(a, b)
    if (a <= b) left++
    if (b <= a) right++
  }
  while (left < one.length) all[count++] = one[left++]!
  while (right < other.length) all[count++] = other[right++]!
  return all.subarray(0, count)
}
