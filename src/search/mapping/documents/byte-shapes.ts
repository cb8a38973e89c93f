/**
 * Documents that were read before as what they have in common with the next: what stands between their values, byte
 * for byte, and what kind of value follows. A document along one of them is known to have its names, braces and commas
 * right when they are the same bytes. They form a tree, as documents often differ only from some value on.
 */
import { SourceShape } from '../../segment/writer/source-shape.ts'
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
  readonly #before: ShapeStep | undefined
  readonly #bytes: Uint8Array
  /** The value has no quotes. */
  readonly isBare: boolean
  readonly length: number
  /** Its bytes by eight, and those that are left, which are less than eight, in two words. */
  readonly #eights: Float64Array
  readonly #rest: number
  readonly #restMask: number
  readonly #second: number
  readonly #secondMask: number
  readonly spelling: number
  /** The field of the value; any at the end. */
  readonly node: ByteNode
  /** Of the last step of a document, once it was asked for. */
  shape: SourceShape | undefined
  /** What may follow, the last that did first. */
  readonly next: ShapeStep[] = []

  constructor(
    before: ShapeStep | undefined,
    view: DataView,
    from: number,
    to: number,
    kind: number,
    node: ByteNode,
  ) {
    this.#before = before
    this.#bytes = new Uint8Array(view.buffer, view.byteOffset + from, to - from).slice()
    this.length = to - from
    this.#eights = new Float64Array(this.length >> 3)
    for (let i = 0; i < this.#eights.length; i++) this.#eights[i] = view.getFloat64(from + i * 8, true)
    const rest = this.length & 7
    this.#restMask = maskOf(rest)
    this.#rest = view.getInt32(to - rest, true) & this.#restMask
    this.#secondMask = maskOf(rest - 4)
    this.#second = this.#secondMask === 0 ? 0 : view.getInt32(to - rest + 4, true) & this.#secondMask
    this.spelling = kind
    this.isBare = isBare(kind)
    this.node = node
  }

  /** From the first step of a document to this one. */
  path(): ShapeStep[] {
    const path: ShapeStep[] = []
    for (let step: ShapeStep | undefined = this; step !== undefined; step = step.#before) path.push(step)
    return path.reverse()
  }

  /** What stands between the values of documents that take these steps. */
  static shapeOf(path: readonly ShapeStep[]): SourceShape {
    return new SourceShape(path.map((step) => step.#bytes))
  }

  /**
   * Whether it stands there; `view` has eight bytes more than the text that ends at `to`. Eight bytes are the same when
   * they are as a number, but for those that are none: of these it is not known, and none of them are UTF-8.
   */
  isAt(view: DataView, at: number, to: number): boolean {
    const eights = this.#eights
    const { length } = this
    if (at + length > to) return false
    let place = at
    for (let i = 0; i < eights.length; i++, place += 8)
      if (view.getFloat64(place, true) !== eights[i]) return false
    if ((view.getInt32(place, true) & this.#restMask) !== this.#rest) return false
    if (this.#secondMask !== 0 && (view.getInt32(place + 4, true) & this.#secondMask) !== this.#second)
      return false
    return !this.isBare || isBareStart(view.getUint8(at + length))
  }
}

/** Of the first bytes of a word, which are none, some or all. */
function maskOf(bytes: number): number {
  return bytes <= 0 ? 0 : bytes >= 4 ? -1 : (1 << (bytes * 8)) - 1
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
export const maxShapeValues = 512
const maxSteps = 4096
/** What may follow one step; each is looked at where none of them follows. */
const maxNext = 16
const maxBytes = 256 * 1024
/** Each shape has all of its document's constants, which steps share. */
const maxShapeBytes = 4 * 1024 * 1024
/** Where documents are all different, remembering them is given up for as many. */
const pause = 50_000

export class Shapes {
  readonly first: ShapeStep[] = []
  #steps = 0
  #bytes = 0
  #shapeBytes = 0
  #paused = 0
  /** The steps of the documents that have a shape. */
  readonly #paths = new Map<SourceShape, readonly ShapeStep[]>()

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
    const step = new ShapeStep(after, view, from, to, kind, node)
    steps[Math.min(steps.length, maxNext - 1)] = step
    this.#steps += 1
    this.#bytes += step.length
    return step
  }

  /** Of the documents that end with a step. */
  shapeOf(end: ShapeStep): SourceShape {
    if (end.shape !== undefined) return end.shape
    const path = end.path()
    const shape = ShapeStep.shapeOf(path)
    end.shape = shape
    this.#paths.set(shape, path)
    this.#shapeBytes += shape.definition.length
    this.bound()
    return shape
  }

  /** Of the documents that have a shape, unless it is forgotten. */
  stepsOf(shape: SourceShape): readonly ShapeStep[] | undefined {
    return this.#paths.get(shape)
  }

  /** After something was learned. */
  bound(): void {
    if (this.#steps <= maxSteps && this.#bytes <= maxBytes && this.#shapeBytes <= maxShapeBytes) return
    this.first.length = 0
    this.#paths.clear()
    this.#steps = 0
    this.#bytes = 0
    this.#shapeBytes = 0
    this.#paused = pause
  }
}
