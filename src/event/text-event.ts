/**
 * An event that is still the JSON text it came as. Whoever made it has checked that the text is one object that
 * can be read, which names it has and that none of them is reserved; so the fields need not exist before somebody
 * asks for them. An output that only wants the text never does.
 */
import { cloneValue } from './clone.ts'
import { Event } from './event.ts'
import { parseJson } from './json-parse.ts'
import type { RawText } from './raw-text.ts'
import type { Timestamp } from './timestamp.ts'
import { type Fields, putField, type Value } from './value.ts'

/** What events that arrived together have in common besides their text. */
export class TextOrigin implements RawText {
  readonly time: Timestamp
  readonly #names: ReadonlySet<string>
  /** The fields every event has and those added since, up to the end: `,"@timestamp":…,"host":…}` */
  readonly #rest: string
  readonly #added: Fields
  readonly #opened: () => void
  /** Metadata every event has, until it is given its own. */
  readonly meta: Fields | null

  /** `opened` is called when the fields of an event are asked for. */
  constructor(
    time: Timestamp,
    names: ReadonlySet<string>,
    opened: () => void,
    rest = `,"@timestamp":"${time.toString()}","@version":"1"}`,
    added: Fields = { '@timestamp': time, '@version': '1' },
    meta: Fields | null = null,
  ) {
    this.time = time
    this.#names = names
    this.#opened = opened
    this.#rest = rest
    this.#added = added
    this.meta = meta
  }

  /** Whether no event has a field of this name. */
  lacks(name: string): boolean {
    return !this.#names.has(name) && !Object.hasOwn(this.#added, name)
  }

  /** Returns an origin with more fields, which all events lack; `members` is their JSON with a comma before each. */
  with(fields: Fields, members: string, meta: Fields | null = this.meta): TextOrigin {
    const all = { ...this.#added, ...fields }
    const rest = `${this.#rest.slice(0, -1)}${members}}`
    return new TextOrigin(this.time, this.#names, this.#opened, rest, all, meta)
  }

  /** For events whose fields exist: nothing but the text has to grow. */
  extended(members: string): TextOrigin {
    return this.with({}, members)
  }

  render(event: Event): string | undefined {
    if (!(event instanceof TextEvent)) return undefined
    const { text } = event
    return text.length === 2 ? `{${this.#rest.slice(1)}` : text.slice(0, text.length - 1) + this.#rest
  }

  fieldsOf(text: string): Fields {
    this.#opened()
    const fields = parseJson(text) as Fields
    for (const name of Object.keys(this.#added))
      putField(fields, name, cloneValue(this.#added[name] as Value))
    return fields
  }
}

export class TextEvent extends Event {
  readonly text: string
  origin: TextOrigin
  /** Once somebody has asked for them. */
  declare fields: Fields | undefined
  /** Undefined: that of the origin, of which a copy is made when somebody asks. */
  declare ownMeta: Fields | null | undefined

  constructor(text: string, origin: TextOrigin, ownMeta?: Fields | null) {
    // Take the places of `data` and `meta`, see below.
    super(undefined as unknown as Fields)
    this.ownMeta = ownMeta
    this.text = text
    this.origin = origin
    this.raw = origin
  }

  /** Nobody has asked for the fields, so there is nothing in them that the text lacks. */
  get isUnopened(): boolean {
    return this.fields === undefined && this.raw === this.origin
  }

  /** Gives an unopened event further fields; see `TextOrigin.with`. */
  extend(origin: TextOrigin): void {
    this.origin = origin
    this.raw = origin
  }

  override get metaView(): Fields | null {
    return this.ownMeta === undefined ? this.origin.meta : this.ownMeta
  }

  override get timestamp(): Timestamp | undefined {
    return this.fields === undefined ? this.origin.time : super.timestamp
  }

  override set timestamp(value: Timestamp) {
    super.timestamp = value
  }

  override clone(): Event {
    if (!this.isUnopened) return super.clone()
    return new TextEvent(this.text, this.origin, cloneValue(this.ownMeta))
  }

  override overwrite(other: Event): void {
    super.overwrite(other)
    this.raw = null
  }
}

Object.defineProperty(TextEvent.prototype, 'data', {
  get(this: TextEvent): Fields {
    this.fields ??= this.origin.fieldsOf(this.text)
    return this.fields
  },
  set(this: TextEvent, value: Fields | undefined) {
    this.fields = value
  },
})

Object.defineProperty(TextEvent.prototype, 'meta', {
  get(this: TextEvent): Fields | null {
    if (this.ownMeta === undefined && this.origin.meta !== null) this.ownMeta = cloneValue(this.origin.meta)
    return this.ownMeta ?? null
  },
  set(this: TextEvent, value: Fields | null) {
    this.ownMeta = value
  },
})
