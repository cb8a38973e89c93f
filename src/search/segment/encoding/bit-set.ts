/**
 * A bit set of document numbers, 32 to a word, with rank (how many members are below a number) and select (the n-th
 * member). Both use a directory with one running count per sixteen words, as in Jacobson's rank structure; it is
 * built on first use and dropped when the set changes.
 */
const wordsPerEntry = 16

export class BitSet {
  /** All members are below this number. */
  readonly size: number
  readonly words: Uint32Array
  #directory: Uint32Array | null = null

  constructor(size: number, words: Uint32Array = new Uint32Array((size + 31) >>> 5)) {
    this.size = size
    this.words = words
  }

  static full(size: number): BitSet {
    const set = new BitSet(size)
    set.words.fill(0xffff_ffff)
    set.#clearTail()
    return set
  }

  /** Makes a set of members that are given in any order. */
  static of(size: number, members: ArrayLike<number>): BitSet {
    const set = new BitSet(size)
    set.addAll(members)
    return set
  }

  #clearTail(): void {
    const rest = this.size & 31
    if (rest !== 0) this.words[this.words.length - 1]! &= (1 << rest) - 1
  }

  has(member: number): boolean {
    return (this.words[member >>> 5]! & (1 << (member & 31))) !== 0
  }

  add(member: number): void {
    this.words[member >>> 5]! |= 1 << (member & 31)
    this.#directory = null
  }

  /** Adds `members[from, to)`, in any order. */
  addAll(members: ArrayLike<number>, from = 0, to = members.length): void {
    const { words } = this
    for (let i = from; i < to; i++) words[members[i]! >>> 5]! |= 1 << (members[i]! & 31)
    this.#directory = null
  }

  remove(member: number): void {
    this.words[member >>> 5]! &= ~(1 << (member & 31))
    this.#directory = null
  }

  /** Adds all numbers of `[from, to)`. */
  addRange(from: number, to: number): void {
    if (from >= to) return
    const first = from >>> 5
    const last = (to - 1) >>> 5
    const head = 0xffff_ffff << (from & 31)
    const tail = 0xffff_ffff >>> (31 - ((to - 1) & 31))
    this.#directory = null
    if (first === last) {
      this.words[first]! |= head & tail
      return
    }
    this.words[first]! |= head
    this.words.fill(0xffff_ffff, first + 1, last)
    this.words[last]! |= tail
  }

  clone(): BitSet {
    return new BitSet(this.size, this.words.slice())
  }

  and(other: BitSet): this {
    const { words } = this
    for (let i = 0; i < words.length; i++) words[i]! &= other.words[i]!
    this.#directory = null
    return this
  }

  or(other: BitSet): this {
    const { words } = this
    for (let i = 0; i < words.length; i++) words[i]! |= other.words[i]!
    this.#directory = null
    return this
  }

  andNot(other: BitSet): this {
    const { words } = this
    for (let i = 0; i < words.length; i++) words[i]! &= ~other.words[i]!
    this.#directory = null
    return this
  }

  not(): this {
    const { words } = this
    for (let i = 0; i < words.length; i++) words[i] = ~words[i]!
    this.#clearTail()
    this.#directory = null
    return this
  }

  get count(): number {
    return this.rank(this.size)
  }

  /** Returns the first member at or after `from`, or -1. */
  next(from: number): number {
    if (from >= this.size) return -1
    let at = from >>> 5
    let word = this.words[at]! & (0xffff_ffff << (from & 31))
    while (word === 0) {
      at += 1
      if (at === this.words.length) return -1
      word = this.words[at]!
    }
    return (at << 5) + trailingZeros(word)
  }

  /** Returns the last member at or before `from`, or -1. */
  previous(from: number): number {
    if (from < 0) return -1
    const start = Math.min(from, this.size - 1)
    let at = start >>> 5
    let word = this.words[at]! & (0xffff_ffff >>> (31 - (start & 31)))
    while (word === 0) {
      at -= 1
      if (at < 0) return -1
      word = this.words[at]!
    }
    return (at << 5) + 31 - Math.clz32(word)
  }

  /** Returns how many members are below `place`. */
  rank(place: number): number {
    const directory = this.#counts()
    const word = Math.min(place, this.size) >>> 5
    const entry = Math.floor(word / wordsPerEntry)
    let count = directory[entry]!
    for (let i = entry * wordsPerEntry; i < word; i++) count += ones(this.words[i]!)
    const rest = Math.min(place, this.size) & 31
    return rest === 0 ? count : count + ones(this.words[word]! & ((1 << rest) - 1))
  }

  /** Returns the member that has `rank` members before it, or -1 when there are not that many. */
  select(rank: number): number {
    const directory = this.#counts()
    if (rank < 0 || rank >= directory[directory.length - 1]!) return -1
    let low = 0
    let high = directory.length - 1
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (directory[middle]! <= rank) low = middle
      else high = middle
    }
    let left = rank - directory[low]!
    for (let i = low * wordsPerEntry; ; i++) {
      const here = ones(this.words[i]!)
      if (left < here) return (i << 5) + selectInWord(this.words[i]!, left)
      left -= here
    }
  }

  /** Returns the members in ascending order. */
  toArray(): Uint32Array {
    const members = new Uint32Array(this.count)
    let at = 0
    for (let i = 0; i < this.words.length; i++) {
      for (let word = this.words[i]!; word !== 0; word &= word - 1)
        members[at++] = (i << 5) + trailingZeros(word)
    }
    return members
  }

  /**
   * Returns the rank directory: entry e is the number of members in front of word 16 e, the last entry is the total.
   */
  #counts(): Uint32Array {
    if (this.#directory !== null) return this.#directory
    const entries = Math.ceil(this.words.length / wordsPerEntry)
    const directory = new Uint32Array(entries + 1)
    let count = 0
    for (let entry = 0; entry < entries; entry++) {
      directory[entry] = count
      const end = Math.min(this.words.length, (entry + 1) * wordsPerEntry)
      for (let i = entry * wordsPerEntry; i < end; i++) count += ones(this.words[i]!)
    }
    directory[entries] = count
    this.#directory = directory
    return directory
  }
}

/** Counts the bits of a word that are set (popcount). */
export function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x5555_5555)
  n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

export function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word)
}

function selectInWord(word: number, rank: number): number {
  let rest = word
  for (let i = 0; i < rank; i++) rest &= rest - 1
  return trailingZeros(rest)
}
