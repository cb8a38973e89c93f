/**
 * A trie of the shapes of documents read before: the constant bytes between values, and the kind of value that
 * follows. When a document has the same constant bytes, its names, braces and commas are known to be valid without
 * parsing. It is a trie because documents often differ only from some value on.
 */
import { SourceShape } from '../../segment/writer/source-shape.ts'
import { type ByteNode, reading } from './byte-plan.ts'

/** How a value is spelled and what is done with it. */
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

/** Returns how a value is spelled; -1 for values that need the parser. */
export function spellingOf(kind: number, isString: boolean): number {
  if (kind === reading.text) return isString ? spelling.text : spelling.literal
  if (kind === reading.date) return isString ? spelling.date : spelling.millis
  if (kind === reading.ip) return isString ? spelling.ip : -1
  if (isString) return -1
  return kind === reading.boolean ? spelling.boolean : spelling.number
}

/** A node of the trie: the constant bytes before a value, starting behind the value before. */
export class ShapeStep {
  readonly #before: ShapeStep | undefined
  readonly #bytes: Uint8Array
  /** The value has no quotes. */
  readonly isBare: boolean
  readonly length: number
  /** The bytes as doubles, eight at a time, and up to seven more bytes in two words. */
  readonly #eights: Float64Array
  readonly #rest: number
  readonly #restMask: number
  readonly #second: number
  readonly #secondMask: number
  readonly spelling: number
  /** The field of the value; any node at the end of a document. */
  readonly node: ByteNode
  /** The shape of documents that end at this step, once it was asked for. */
  shape: SourceShape | undefined
  /** Children, most recently used first. */
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

  /** Returns the steps from the root to this one. */
  path(): ShapeStep[] {
    const path: ShapeStep[] = []
    for (let step: ShapeStep | undefined = this; step !== undefined; step = step.#before) path.push(step)
    return path.reverse()
  }

  /** Returns the shape of documents that take these steps. */
  static shapeOf(path: readonly ShapeStep[]): SourceShape {
    return new SourceShape(path.map((step) => step.#bytes))
  }

  /**
   * Returns whether the constant bytes are at `at`; eight bytes behind `to` must be readable. Eight bytes are
   * compared as a double: NaNs never compare equal, but no eight bytes of UTF-8 are a NaN.
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

/** Masks the first bytes of a word. */
function maskOf(bytes: number): number {
  return bytes <= 0 ? 0 : bytes >= 4 ? -1 : (1 << (bytes * 8)) - 1
}

/** Values without quotes; the bytes in front of one could also precede a null, a list or a string. */
function isBare(kind: number): boolean {
  return kind >= spelling.boolean || kind === spelling.literal || kind === spelling.millis
}

/** The first byte of a number, `true` or `false`. */
function isBareStart(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 45 || byte === 116 || byte === 102
}

/** Documents with more values are not learned. */
export const maxShapeValues = 512
const maxSteps = 4096
/** The maximum number of children; all are compared on a miss. */
const maxNext = 16
const maxBytes = 256 * 1024
/** The limit for shapes, each of which has all constants of its document, while steps share them. */
const maxShapeBytes = 4 * 1024 * 1024
/** When documents are all different, learning pauses for this many. */
const pauseDocuments = 50_000

export class ShapeTrie {
  readonly first: ShapeStep[] = []
  #steps = 0
  #bytes = 0
  #shapeBytes = 0
  #paused = 0
  /** The steps of each shape. */
  readonly #paths = new Map<SourceShape, readonly ShapeStep[]>()

  /** Whether the next document should be learned. */
  get isOpen(): boolean {
    if (this.#paused === 0) return true
    this.#paused -= 1
    return false
  }

  /** Finds the child that matches, besides the first, and moves it to the front. */
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

  /** Returns the child for the bytes `[from, to)`, and creates it if necessary. */
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

  /** Returns the shape of documents that end at a step. */
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

  /** Returns the steps of a shape, unless it was evicted. */
  stepsOf(shape: SourceShape): readonly ShapeStep[] | undefined {
    return this.#paths.get(shape)
  }

  /** Enforces the limits after something was learned. */
  bound(): void {
    if (this.#steps <= maxSteps && this.#bytes <= maxBytes && this.#shapeBytes <= maxShapeBytes) return
    this.first.length = 0
    this.#paths.clear()
    this.#steps = 0
    this.#bytes = 0
    this.#shapeBytes = 0
    this.#paused = pauseDocuments
  }
}
