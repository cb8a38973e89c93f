/**
 * Indexes documents straight from their bytes: validates JSON exactly as `JSON.parse` does, along a compiled mapping
 * (`byte-plan.ts`) and along known shapes (`shape-trie.ts`). It is speculative: at the first byte it does not expect
 * it discards the values so far, and the document goes through the parser.
 */
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  minus,
  openBrace,
  openBracket,
  quote,
} from '../../../text/ascii.ts'
import { copyText } from '../../segment/encoding/copy-bytes.ts'
import { finishHash, hashSeed, hashText, mixWord, TermScratch } from '../../segment/encoding/term-scratch.ts'
import type { BoundLeaf, ByteReader } from '../../segment/writer/leaf-plan.ts'
import type { Chunk } from '../../segment/writer/source-arena.ts'
import type { SourceShape } from '../../segment/writer/source-shape.ts'
import { isShortText } from '../../segment/writer/text-column.ts'
import { type ByteNode, type BytePlan, type Ignoring, reading } from './byte-plan.ts'
import { isUtf8, unescapeJson } from './byte-texts.ts'
import { readIpV4, readIsoDate, readJsonNumber } from './byte-values.ts'
import { maxShapeValues, type ShapeStep, ShapeTrie, spelling, spellingOf } from './shape-trie.ts'

/** The maximum number of values in one document. */
const maxValues = 4096
/** Numbers with up to this many digits are exact in a double. */
const exactDigits = 15
const powers = Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power)
const point = 46

function withRoom<Values extends Int32Array | Uint32Array | Float64Array | Uint8Array>(
  values: Values,
  larger: Values,
): Values {
  larger.set(values)
  return larger
}

export class PlanReader implements ByteReader {
  readonly plans: BytePlan['leaves']
  readonly #root: ByteNode
  readonly #scratch = new TermScratch()
  #bytes: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#bytes.buffer)
  #to = 0
  #leaves: readonly BoundLeaf[] = []
  #document = 0
  /** Counts documents and attempts to read one. */
  #reading = 0
  #doc = 0
  /** The offset between a text in the document and in the memory where it will be looked up. */
  #shift = 0
  copied = 0
  #textLeaves = new Int32Array(maxShapeValues)
  #textCount = 0
  /** The leaf of `_ignored`, when the document has something there; -1 otherwise. */
  #ignoredLeaf = -1
  #numberLeaves = new Int32Array(maxShapeValues)
  #numbers = new Float64Array(maxShapeValues)
  #numberCount = 0
  readonly #shapes = new ShapeTrie()
  // Where values were found, for learning the shape. Rooms grow with the largest document.
  readonly #rowNodes: ByteNode[] = []
  #rowSpellings = new Uint8Array(maxShapeValues)
  #rowFrom = new Uint32Array(maxShapeValues)
  #rowTo = new Uint32Array(maxShapeValues)

  constructor({ root, leaves }: BytePlan) {
    this.plans = leaves
    this.#root = root
  }

  read({ bytes, view }: Chunk, from: number, to: number, leaves: readonly BoundLeaf[], doc: number): boolean {
    this.#begin(bytes, view, to, leaves, doc)
    if (!this.#parse(from)) {
      this.drop(doc, leaves)
      return false
    }
    if (this.#count <= maxShapeValues && this.#shapes.isOpen) this.#learn(from)
    return true
  }

  readShape(
    { bytes, view }: Chunk,
    from: number,
    to: number,
    into: Chunk,
    at: number,
    leaves: readonly BoundLeaf[],
    doc: number,
  ): SourceShape | undefined {
    this.#begin(bytes, view, to, leaves, doc)
    const end = this.#along(from, into.view, at)
    if (end !== undefined) return this.#shapes.shapeOf(end)
    this.drop(doc, leaves)
    return undefined
  }

  readValues(
    { bytes, view }: Chunk,
    from: number,
    to: number,
    shape: SourceShape,
    leaves: readonly BoundLeaf[],
    doc: number,
  ): boolean {
    const steps = this.#shapes.stepsOf(shape)
    if (steps === undefined) return false
    this.#begin(bytes, view, to, leaves, doc)
    if (this.#values(steps, from) === to) return true
    this.drop(doc, leaves)
    return false
  }

  #begin(bytes: Uint8Array, view: DataView, to: number, leaves: readonly BoundLeaf[], doc: number): void {
    this.#bytes = bytes
    this.#view = view
    this.#to = to
    this.#leaves = leaves
    this.#doc = doc
    this.#reading += 1
    this.#shift = 0
    this.#textCount = 0
    this.#numberCount = 0
    this.#ignoredLeaf = -1
  }

  #parse(from: number): boolean {
    this.#document += 1
    let at = this.#space(from)
    if (this.#bytes[at] !== openBrace) return false
    at = this.#object(this.#root, at + 1)
    return at >= 0 && this.#space(at) === this.#to
  }

  /** Returns whether there is room for more values now. */
  #makeRoom(): boolean {
    const room = Math.min(this.#numbers.length * 4, maxValues)
    if (room === this.#numbers.length) return false
    this.#textLeaves = withRoom(this.#textLeaves, new Int32Array(room))
    this.#numberLeaves = withRoom(this.#numberLeaves, new Int32Array(room))
    this.#numbers = withRoom(this.#numbers, new Float64Array(room))
    this.#rowSpellings = withRoom(this.#rowSpellings, new Uint8Array(room))
    this.#rowFrom = withRoom(this.#rowFrom, new Uint32Array(room))
    this.#rowTo = withRoom(this.#rowTo, new Uint32Array(room))
    return true
  }

  /** The number of values so far. */
  get #count(): number {
    return this.#textCount + this.#numberCount
  }

  /** Follows the shape trie; returns the last step, or undefined when no known shape matches. */
  #along(from: number, into: DataView, start: number): ShapeStep | undefined {
    const view = this.#view
    const to = this.#to
    let steps = this.#shapes.first
    let at = from
    let out = start
    for (;;) {
      let step = steps[0]
      if (step === undefined) return undefined
      if (!step.isAt(view, at, to)) {
        step = ShapeTrie.otherAt(steps, view, at, to)
        if (step === undefined) return undefined
      }
      at += step.length
      if (step.spelling === spelling.end) {
        this.copied = out - start
        // A document without a text has no values at all.
        return at === to && out > start ? step : undefined
      }
      this.#shift = out - at
      const isText = step.spelling === spelling.text
      const end = isText ? this.#text(step.node, at) : this.#spelled(step.spelling, step.node, at)
      if (end < 0) return undefined
      copyText(view, at, end, into, out)
      out += end - at
      at = end
      if (step.isBare) into.setUint8(out++, comma)
      steps = step.next
    }
  }

  /** Reads values with their terminators only; returns the offset behind the last, or -1. */
  #values(steps: readonly ShapeStep[], from: number): number {
    let at = from
    for (const { spelling: kind, node, isBare } of steps) {
      if (kind === spelling.end) break
      at = kind === spelling.text ? this.#text(node, at) : this.#spelled(kind, node, at)
      if (at < 0 || (isBare && this.#bytes[at++] !== comma)) return -1
    }
    return at
  }

  #learn(from: number): void {
    const shapes = this.#shapes
    let step: ShapeStep | undefined
    let at = from
    for (let i = 0; i < this.#count; i++) {
      step = shapes.step(step, this.#view, at, this.#rowFrom[i]!, this.#rowSpellings[i]!, this.#rowNodes[i]!)
      at = this.#rowTo[i]!
    }
    shapes.step(step, this.#view, at, this.#to, spelling.end, this.#root)
    shapes.bound()
  }

  addNumbers(doc: number, leaves: readonly BoundLeaf[]): void {
    for (let i = 0; i < this.#numberCount; i++)
      leaves[this.#numberLeaves[i]!]!.numbers!.addNumber(doc, this.#numbers[i]!)
  }

  drop(doc: number, leaves: readonly BoundLeaf[]): void {
    for (let i = 0; i < this.#textCount; i++) leaves[this.#textLeaves[i]!]!.texts!.dropPending(doc)
    if (this.#ignoredLeaf >= 0) leaves[this.#ignoredLeaf]!.texts!.dropPending(doc)
    this.#ignoredLeaf = -1
    this.#textCount = 0
    this.#numberCount = 0
  }

  /** Skips white space; returns the offset of the next byte, at most the end. */
  #space(from: number): number {
    const bytes = this.#bytes
    let at = from
    while (at < this.#to) {
      const byte = bytes[at]!
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) break
      at++
    }
    return at
  }

  // All methods below return the offset behind what they read, or -1 to give up.

  /** Starts behind the brace. */
  #object(node: ByteNode, from: number): number {
    const bytes = this.#bytes
    let at = bytes[from] === quote ? from : this.#space(from)
    if (bytes[at] === closeBrace && at < this.#to) return at + 1
    for (let place = 0; ; place++) {
      if (bytes[at] !== quote) return -1
      const child = this.#name(node, place, at + 1)
      if (child === undefined || child.seenIn === this.#document) return -1
      child.seenIn = this.#document
      at = this.#afterName
      if (bytes[at] !== colon) {
        at = this.#space(at)
        if (bytes[at] !== colon) return -1
      }
      at++
      if (bytes[at]! <= 32) at = this.#space(at)
      at = this.#value(child, at)
      if (at < 0) return -1
      if (bytes[at]! <= 32) at = this.#space(at)
      if (at >= this.#to) return -1
      const byte = bytes[at]
      if (byte === closeBrace) return at + 1
      if (byte !== comma) return -1
      at++
      if (bytes[at] !== quote) at = this.#space(at)
      if (at >= this.#to) return -1
    }
  }

  #afterName = 0

  #name(node: ByteNode, place: number, from: number): ByteNode | undefined {
    const expected = node.expected[place]
    if (expected !== undefined && this.#isName(expected, from)) {
      this.#afterName = from + expected.name.length
      return expected
    }
    const bytes = this.#bytes
    let end = from
    while (end < this.#to && bytes[end] !== quote && bytes[end] !== backslash) end++
    if (end >= this.#to || bytes[end] === backslash) return undefined
    const child = node.child(this.#view, from, end)
    if (child === undefined) return undefined
    node.expected[place] = child
    this.#afterName = end + 1
    return child
  }

  #isName({ name, nameView }: ByteNode, from: number): boolean {
    const length = name.length
    if (from + length > this.#to) return false
    const view = this.#view
    let at = 0
    for (const last = length - 3; at < last; at += 4) {
      if (view.getInt32(from + at, true) !== nameView.getInt32(at, true)) return false
    }
    for (; at < length; at++) if (this.#bytes[from + at] !== name[at]) return false
    return true
  }

  #value(node: ByteNode, at: number): number {
    const byte = this.#bytes[at]!
    if (at >= this.#to || node.reading === reading.other) return -1
    if (node.reading === reading.object) {
      if (byte === openBrace) return this.#object(node, at + 1)
      return byte === 110 ? this.#word(at, nullWord, 4) : -1
    }
    return byte === openBracket ? this.#array(node, at + 1) : this.#single(node, at)
  }

  /** Reads an array of scalars; at most one number, because several would have to be sorted. */
  #array(node: ByteNode, from: number): number {
    const bytes = this.#bytes
    const before = this.#count
    let at = this.#space(from)
    if (bytes[at] === closeBracket && at < this.#to) return at + 1
    for (;;) {
      at = this.#single(node, at)
      if (at < 0) return -1
      at = this.#space(at)
      if (at >= this.#to) return -1
      const byte = bytes[at]
      if (byte === closeBracket) {
        const isText = node.reading === reading.text || node.reading === reading.ip
        return isText || this.#count - before <= 1 ? at + 1 : -1
      }
      if (byte !== comma) return -1
      at = this.#space(at + 1)
    }
  }

  #single(node: ByteNode, at: number): number {
    const byte = this.#bytes[at]!
    if (at >= this.#to || (this.#count === this.#numbers.length && !this.#makeRoom())) return -1
    if (byte === 110) return node.ignoresNull ? this.#word(at, nullWord, 4) : -1
    const isString = byte === quote
    const kind = spellingOf(node.reading, isString)
    if (kind < 0) return -1
    const row = this.#count
    const from = isString ? at + 1 : at
    const end = this.#spelled(kind, node, from)
    this.#rowNodes[row] = node
    this.#rowSpellings[row] = kind
    this.#rowFrom[row] = from
    this.#rowTo[row] = end
    return end
  }

  /** Reads a value, starting behind the opening quote if it has one. */
  #spelled(kind: number, node: ByteNode, at: number): number {
    switch (kind) {
      case spelling.text:
        return this.#text(node, at)
      case spelling.literal:
        return this.#literal(node, at)
      case spelling.date:
        return this.#date(node, at)
      case spelling.millis:
        return this.#millis(node, at)
      case spelling.ip:
        return this.#ip(node, at)
      case spelling.boolean:
        return this.#boolean(node, at)
      default:
        return this.#number(node, at)
    }
  }

  /** Compares the first four bytes of `true`, `false` and `null` as one word. */
  #word(at: number, word: number, length: number): number {
    if (at + length > this.#to || this.#view.getInt32(at, true) !== word) return -1
    return length === 4 || this.#bytes[at + 4] === 101 ? at + length : -1
  }

  #boolean(node: ByteNode, at: number): number {
    const isTrue = this.#bytes[at] === 116
    const end = isTrue ? this.#word(at, trueWord, 4) : this.#word(at, falseWord, 5)
    if (end >= 0) this.#addNumber(node, isTrue ? 1 : 0)
    return end
  }

  #addNumber(node: ByteNode, value: number): void {
    this.#numberLeaves[this.#numberCount] = node.leaf
    this.#numbers[this.#numberCount++] = value
  }

  /** Adds a text of the document, to be looked up later. */
  #addText(node: ByteNode, from: number, to: number, hash: number): void {
    this.#textLeaves[this.#textCount++] = node.leaf
    this.#leaves[node.leaf]!.texts!.addPending(this.#doc, from + this.#shift, to + this.#shift, hash)
    if (node.ignoring !== undefined && to - from > node.ignoring.above)
      this.#ignoreLong(node, node.ignoring, this.#bytes, from, to)
  }

  /** Notes a text that is too long for the keyword of its leaf. */
  #ignoreLong(node: ByteNode, ignoring: Ignoring, bytes: Uint8Array, from: number, to: number): void {
    if (isShortText(bytes, from, to, ignoring.above)) return
    this.#leaves[node.leaf]!.texts!.hasLongTexts = true
    // One of several texts suffices.
    if (ignoring.seenIn === this.#reading) return
    ignoring.seenIn = this.#reading
    const { leaf, name, nameLength } = ignoring
    const ignored = this.#leaves[leaf]!.texts!
    this.#ignoredLeaf = leaf
    ignored.add(this.#doc, ignored.dictionary.idOf(name, 0, nameLength, hashText(name, 0, nameLength)))
  }

  /** Adds a text from scratch memory, which is not in the document. */
  #addScratch(node: ByteNode): void {
    const { view, length } = this.#scratch
    const leaf = this.#leaves[node.leaf]!.texts!
    this.#textLeaves[this.#textCount++] = node.leaf
    leaf.add(this.#doc, leaf.dictionary.idOf(view, 0, length, hashText(view, 0, length)))
    if (node.ignoring !== undefined && length > node.ignoring.above)
      this.#ignoreLong(node, node.ignoring, this.#scratch.bytes, 0, length)
  }

  // ------------------------------------------------------------------------------------------------ texts

  #hash = 0
  #isAscii = true

  /**
   * Scans from behind the quote to the next quote or backslash, four bytes at a time; -1 when the text ends or has a
   * control character before that. Leaves the hash in `#hash` and whether all bytes are ASCII in `#isAscii`.
   */
  #scan(from: number): number {
    const view = this.#view
    const to = this.#to
    let hash = hashSeed
    let all = 0
    for (let at = from; at < to; at += 4) {
      const word = view.getInt32(at, true)
      const quotes = word ^ 0x2222_2222
      const slashes = word ^ 0x5c5c_5c5c
      const found = (((quotes - 0x0101_0101) & ~quotes) | ((slashes - 0x0101_0101) & ~slashes)) & 0x8080_8080
      // Finds bytes below 32 (SWAR); flags above the lowest may be wrong, but then the lowest is right.
      const controls = (word - 0x2020_2020) & ~word & 0x8080_8080
      if (found === 0) {
        if (controls !== 0) return -1
        hash = mixWord(hash, word)
        all |= word
        continue
      }
      const rest = (31 - Math.clz32(found & -found)) >> 3
      if (rest > 0) {
        const mask = (1 << (rest * 8)) - 1
        if ((controls & mask) !== 0) return -1
        hash = mixWord(hash, word & mask)
        all |= word & mask
      }
      const end = at + rest
      this.#hash = finishHash(hash, end - from)
      this.#isAscii = (all & 0x8080_8080) === 0
      return end < to ? end : -1
    }
    return -1
  }

  #text(node: ByteNode, from: number): number {
    const bytes = this.#bytes
    const end = this.#scan(from)
    if (end < 0) return -1
    if (bytes[end] === backslash) return this.#escapedText(node, from, end)
    if (end - from > node.maxLength) return -1
    if (!this.#isAscii && !isUtf8(bytes, from, end)) return -1
    this.#addText(node, from, end, this.#hash)
    return end + 1
  }

  #escapedText(node: ByteNode, from: number, slash: number): number {
    const scratch = this.#scratch
    const end = unescapeJson(this.#bytes, from, slash, this.#to, scratch)
    if (end < 0 || scratch.length > node.maxLength || !isUtf8(scratch.bytes, 0, scratch.length)) return -1
    this.#addScratch(node)
    return end + 1
  }

  /** Reads a number or boolean in a text field by its spelling, if JavaScript would print it the same way. */
  #literal(node: ByteNode, at: number): number {
    const byte = this.#bytes[at]
    let end: number
    if (byte === 116) end = this.#word(at, trueWord, 4)
    else if (byte === 102) end = this.#word(at, falseWord, 5)
    else {
      end = this.#digits(at)
      if (end < 0 || this.#decimals > 0) return -1
    }
    if (end < 0 || end - at > node.maxLength) return -1
    this.#addText(node, at, end, hashText(this.#view, at, end))
    return end
  }

  #ip(node: ByteNode, from: number): number {
    const end = readIpV4(this.#bytes, from, this.#to, this.#scratch)
    if (end < 0) return -1
    this.#addScratch(node)
    return end + 1
  }

  // ---------------------------------------------------------------------------------------------- numbers

  #digitsValue = 0
  #decimals = 0

  /** Reads a number without exponent and with few enough digits to be exact; not minus zero. */
  #digits(from: number): number {
    const bytes = this.#bytes
    let at = from
    const isNegative = bytes[at] === minus
    if (isNegative) at++
    const first = at
    let value = 0
    let byte = bytes[at]!
    while (byte >= 48 && byte <= 57) {
      value = value * 10 + byte - 48
      byte = bytes[++at]!
    }
    let digits = at - first
    if (digits === 0 || (bytes[first] === 48 && digits > 1)) return -1
    this.#decimals = 0
    if (byte === point) {
      byte = bytes[++at]!
      const start = at
      while (byte >= 48 && byte <= 57) {
        value = value * 10 + byte - 48
        byte = bytes[++at]!
      }
      this.#decimals = at - start
      if (this.#decimals === 0) return -1
      digits += this.#decimals
    }
    if (digits > exactDigits || byte === 101 || byte === 69 || at > this.#to) return -1
    if (isNegative && value === 0) return -1
    if (this.#decimals > 0) value /= powers[this.#decimals]!
    this.#digitsValue = isNegative ? -value : value
    return at
  }

  #number(node: ByteNode, from: number): number {
    let end = this.#digits(from)
    if (end < 0) {
      if (node.reading === reading.integer) return -1
      end = this.#longNumber(from)
      if (end < 0) return -1
    }
    const value = this.#digitsValue
    if (node.reading === reading.integer) {
      if (this.#decimals > 0 || value < node.min || value > node.max) return -1
      this.#addNumber(node, value)
    } else this.#addNumber(node, node.reading === reading.float ? Math.fround(value) : value)
    return end
  }

  #longNumber(from: number): number {
    const number = readJsonNumber(this.#bytes, from, this.#to)
    this.#digitsValue = number.value
    return Number.isNaN(number.value) ? -1 : number.end
  }

  #date(node: ByteNode, from: number): number {
    const millis = readIsoDate(this.#bytes, from, this.#to)
    if (Number.isNaN(millis.value)) return -1
    this.#addNumber(node, millis.value)
    return millis.end + 1
  }

  /** An integer this long is no year, so it can only be milliseconds. */
  #millis(node: ByteNode, from: number): number {
    const end = this.#digits(from)
    if (end < 0 || this.#decimals > 0 || this.#digitsValue <= 99_999) return -1
    this.#addNumber(node, this.#digitsValue)
    return end
  }
}

const nullWord = 0x6c6c_756e
const trueWord = 0x6575_7274
const falseWord = 0x736c_6166
