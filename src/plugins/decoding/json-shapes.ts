/**
 * Lines of JSON from one source mostly have the same names in the same order. Such a shape, learnt from a line that
 * was parsed, becomes an expression that tells of other lines whether they are valid JSON of that shape, in a
 * quarter of the time of parsing them. Those become events that are parsed when somebody asks for a field; where
 * somebody mostly does, the expressions are not tried any more.
 */
import { TextOrigin } from '../../event/text-event.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { isFields, type Value } from '../../event/value.ts'
import { compileGuarded } from '../../regex/guarded-regexp.ts'

const maxShapes = 8
/** Lines that may be looked at for a shape; sources that have too many shapes are not learnt from for ever. */
const maxLessons = 64
const maxLessonLength = 16 * 1024
const maxNames = 200
const maxDepth = 8
/** Lines after which hits, misses and opened events are judged. */
const trial = 512
const backtrackLimit = 100_000
const reserved = ['@timestamp', '@version', '@metadata', 'tags']

interface Shape {
  readonly expression: RegExp
  readonly names: ReadonlySet<string>
  /** For the lines that arrived last. */
  time: Timestamp | undefined
  origin: TextOrigin | undefined
}

export class JsonShapes {
  /** The one that fitted last comes first. */
  readonly #shapes: Shape[] = []
  #lessons = 0
  #tried = 0
  #fitted = 0
  #openedCount = 0
  #isGivenUp = false
  readonly #opened = (): void => {
    this.#openedCount += 1
  }

  /** Returns the origin of the event that a line may become without being parsed. */
  originOf(text: string, time: Timestamp): TextOrigin | undefined {
    if (this.#isGivenUp || this.#shapes.length === 0) return undefined
    this.#tried += 1
    if (this.#tried === trial) this.#judge()
    for (let i = 0; i < this.#shapes.length; i++) {
      const shape = this.#shapes[i]!
      if (!shape.expression.test(text)) continue
      if (i > 0) this.#shapes.unshift(...this.#shapes.splice(i, 1))
      this.#fitted += 1
      if (shape.time !== time) {
        shape.time = time
        shape.origin = new TextOrigin(time, shape.names, this.#opened)
      }
      return shape.origin
    }
    return undefined
  }

  #judge(): void {
    if (this.#fitted * 2 < this.#tried || this.#openedCount * 3 > this.#fitted) this.#isGivenUp = true
    this.#tried = 0
    this.#fitted = 0
    this.#openedCount = 0
  }

  /** From a line that did not fit and its value. */
  learn(value: Value, text: string): void {
    if (this.#isGivenUp || this.#lessons >= maxLessons || this.#shapes.length >= maxShapes) return
    this.#lessons += 1
    if (text.length > maxLessonLength || !isFields(value)) return
    const names = Object.keys(value)
    if (reserved.some((name) => names.includes(name))) return
    const source = new Outline().of(value, 0)
    if (source === undefined) return
    const expression = compileGuarded(`^${source}$`, '', backtrackLimit)
    // A name that is there twice or written with escapes makes the text another one than its value's outline.
    if (expression.test(text)) {
      this.#shapes.unshift({ expression, names: new Set(names), time: undefined, origin: undefined })
    }
  }
}

const plain = '[^"\\\\\\x00-\\x1f]*'
const string = `"${plain}(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})${plain})*"`
/** Far from the lengths at which a number is refused, and without an exponent, which is written in another way. */
const number = '-?(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,20})?'
const scalar = `(?:${string}|${number}|true|false|null)`
const listOf = (item: string) => `\\[(?:${item}(?:, ?${item})*)?\\]`

/** The source of an expression for values with the names of this one. */
class Outline {
  #names = 0

  of(value: Value | undefined, depth: number): string | undefined {
    if (depth > maxDepth) return undefined
    if (Array.isArray(value)) {
      const item = this.of(value[0] ?? null, depth + 1)
      return item === undefined ? undefined : listOf(item)
    }
    if (value === undefined || !isFields(value)) return scalar
    const members: string[] = []
    for (const name of Object.keys(value)) {
      const member = this.of(value[name], depth + 1)
      if (member === undefined || ++this.#names > maxNames) return undefined
      members.push(`${escaped(JSON.stringify(name))}: ?${member}`)
    }
    return `\\{${members.join(', ?')}\\}`
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
