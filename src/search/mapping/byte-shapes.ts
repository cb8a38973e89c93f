/**
 * Documents that were read before as what they have in common with the next: what stands between their values, byte
 * for byte, and what kind of value follows. A document along one of them is known to have its names, braces and commas
 * right when they are the same bytes. They form a tree, as documents often differ only from some value on.
 */
import { type ByteNode, reading } from './byte-plan.ts'

/** How a value is spelled and what becomes of it. */
export const spelling = {
  /** No value: the document ends here. */
  end: 0,
  text: 1,
  literal: 2,
  date: 3,
  millis: 4,
  ip: 5,
  boolean: 6,
  number: 7,
} as const

/** How a value is spelled; -1 for one that is read the long way. */
export function spellingOf(kind: number, isString: boolean): number {
  if (kind === reading.text) return isString ? spelling.text : spelling.literal
  if (kind === reading.date) return isString ? spelling.date : spelling.millis
  if (kind === reading.ip) return isString ? spelling.ip : -1
  if (isString) return -1
  return kind === reading.boolean ? spelling.boolean : spelling.number
}

/** What stands in front of a value, from the value before it on. */
export class ShapeStep {
  readonly length: number
  /** Its bytes by four, and those that are left in one word. */
  readonly words: Int32Array
  readonly rest: number
  readonly restMask: number
  readonly spelling: number
  /** The field of the value; any at the end. */
  readonly node: ByteNode
  /** What may follow, the last that did first. */
  readonly next: ShapeStep[] = []

  constructor(view: DataView, from: number, to: number, kind: number, node: ByteNode) {
    this.length = to - from
    this.words = new Int32Array(this.length >> 2)
    for (let i = 0; i < this.words.length; i++) this.words[i] = view.getInt32(from + i * 4, true)
    this.restMask = (1 << ((this.length & 3) * 8)) - 1
    this.rest = view.getInt32(to - (this.length & 3), true) & this.restMask
    this.spelling = kind
    this.node = node
  }

  /** Whether it stands there; `view` has four bytes more than the text that ends at `to`. */
  isAt(view: DataView, at: number, to: number): boolean {
    const { words, length } = this
    if (at + length > to) return false
    for (let i = 0; i < words.length; i++) if (view.getInt32(at + i * 4, true) !== words[i]) return false
    if (this.restMask !== 0 && (view.getInt32(at + words.length * 4, true) & this.restMask) !== this.rest)
      return false
    return !isBare(this.spelling) || isBareStart(view.getUint8(at + length))
  }
}

/** Values without quotes; what is in front of one could also be in front of a null, a list or a string. */
function isBare(kind: number): boolean {
  return kind >= spelling.boolean || kind === spelling.literal || kind === spelling.millis
}

/** The first byte of a number, `true` or `false`. */
function isBareStart(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 45 || byte === 116 || byte === 102
}

/** A document has at most so many values to be remembered. */
export const mostShapeValues = 512
const mostSteps = 4096
/** What may follow one step; each is looked at where none of them follows. */
const mostNext = 16
const mostBytes = 256 * 1024
/** Where documents are all different, remembering them is given up for as many. */
const pause = 50_000

export class Shapes {
  readonly first: ShapeStep[] = []
  #steps = 0
  #bytes = 0
  #paused = 0

  /** Whether the next document that was read should be learned. */
  get isOpen(): boolean {
    if (this.#paused === 0) return true
    this.#paused -= 1
    return false
  }

  /** Which of the steps but the first is at a place; it is the first from then on. */
  static otherAt(steps: ShapeStep[], view: DataView, at: number, to: number): ShapeStep | undefined {
    for (let i = 1; i < steps.length; i++) {
      const step = steps[i]!
      if (!step.isAt(view, at, to)) continue
      steps[i] = steps[0]!
      steps[0] = step
      return step
    }
    return undefined
  }

  /** The step for what is between `from` and `to`, after others or the first; made when there is none. */
  step(
    after: ShapeStep | undefined,
    view: DataView,
    from: number,
    to: number,
    kind: number,
    node: ByteNode,
  ): ShapeStep {
    const steps = after?.next ?? this.first
    const known = steps.find(
      (step) =>
        step.length === to - from &&
        step.spelling === kind &&
        step.node === node &&
        step.isAt(view, from, to),
    )
    if (known !== undefined) return known
    const step = new ShapeStep(view, from, to, kind, node)
    steps[Math.min(steps.length, mostNext - 1)] = step
    this.#steps += 1
    this.#bytes += step.length
    return step
  }

  /** After a document was learned. */
  bound(): void {
    if (this.#steps <= mostSteps && this.#bytes <= mostBytes) return
    this.first.length = 0
    this.#steps = 0
    this.#bytes = 0
    this.#paused = pause
  }
}
