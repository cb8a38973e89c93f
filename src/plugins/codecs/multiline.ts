/**
 * The multiline codec: lines that belong together become one event. A pattern says of each line whether it
 * belongs to the one before or to the next. Each stream has lines of its own; the last ones wait for the
 * stream to go on or to end.
 */

import { Event } from '../../event/event.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { compileGrok } from '../../grok/compile.ts'
import { defineCodec, type Emit, option, type StreamDecoder } from '../../plugin/define.ts'
import { PatternTimeout } from '../../regex/pattern.ts'
import { bytesToText, charsetOption } from '../decoding/charset.ts'
import { definitionsFor } from '../grok/definitions.ts'

interface Merging {
  readonly belongs: (line: string) => boolean
  readonly previous: boolean
  readonly tag: string
  readonly maxLines: number
  readonly maxBytes: number
  readonly keepOriginal: boolean
}

export default defineCodec({
  name: 'multiline',
  summary: 'Joins lines that belong together into one event.',
  description: [
    'A line that matches `pattern` (with `negate`, one that does not) belongs to the previous line or to the next,',
    'as `what` says. The pattern may use the names of the grok library. Blank lines are passed over.',
    '',
    'With `what => "previous"` the last lines of a stream come out when another line begins a new event, or when',
    'the stream ends.',
  ].join('\n'),
  options: {
    pattern: option.string({ required: true, doc: 'Regular expression for lines that belong to another.' }),
    what: option.oneOf(['previous', 'next'], {
      required: true,
      doc: 'Which other line a matching line belongs to.',
    }),
    negate: option.boolean({
      default: false,
      doc: 'Whether lines that do not match are meant instead.',
    }),
    patterns_dir: option.array({ default: [], doc: 'Folders with further patterns for the grok library.' }),
    charset: charsetOption,
    multiline_tag: option.string({
      default: 'multiline',
      doc: 'Tag for events of more than one line; empty for none.',
    }),
    max_lines: option.number({
      default: 500,
      doc: 'Most lines of an event; beyond, it gets the tag `multiline_codec_max_lines_reached` and goes out.',
    }),
    max_bytes: option.bytes({
      default: 10 * 1024 * 1024,
      doc: 'Most bytes of an event; beyond, it gets the tag `multiline_codec_max_bytes_reached` and goes out.',
    }),
    auto_flush_interval: option.number({
      doc: 'Seconds without a new line after which waiting lines become an event.',
    }),
  },
  examples: [
    {
      title: 'A stack trace belongs to the line before it',
      config: 'multiline { pattern => "^\\s" what => "previous" ecs_compatibility => "disabled" }',
      decode: {
        text: 'Exception: no\n  at a\n  at b\nnext\n',
        out: [{ message: 'Exception: no\n  at a\n  at b', tags: ['multiline'] }, { message: 'next' }],
      },
    },
    {
      title: 'A backslash joins a line with the next',
      config: 'multiline { pattern => "\\\\$" what => "next" ecs_compatibility => "disabled" }',
      decode: { text: 'a\\\nb\nc\n', out: [{ message: 'a\\\nb', tags: ['multiline'] }, { message: 'c' }] },
    },
  ],
  create({ options, ecs, logger }) {
    const definitions = definitionsFor(
      { patterns_dir: options.patterns_dir, patterns_files_glob: '*', pattern_definitions: new Map() },
      'disabled',
    )
    const { pattern } = compileGrok(options.pattern, definitions)
    const merging: Merging = {
      belongs: (line) => {
        try {
          return pattern.test(line) !== options.negate
        } catch (error) {
          if (!(error instanceof PatternTimeout)) throw error
          logger.warn('Timeout executing the multiline pattern', { pattern: options.pattern })
          return options.negate
        }
      },
      previous: options.what === 'previous',
      tag: options.multiline_tag,
      maxLines: options.max_lines,
      maxBytes: options.max_bytes,
      keepOriginal: ecs !== 'disabled',
    }
    const toText = bytesToText(options.charset)
    return {
      delimiter: Buffer.from('\n'),
      // A single line beyond the limit of an event is cut there and goes out with the tag that says so.
      maxRecordBytes: Math.max(1, options.max_bytes),
      decoder: () => new LineMerger(merging, toText, options.auto_flush_interval),
    }
  },
})

/** Lines of one stream that wait for others. */
class LineMerger implements StreamDecoder {
  readonly #merging: Merging
  readonly #toText: ((bytes: Uint8Array) => string) | undefined
  readonly idleMilliseconds: number | undefined
  readonly boundsRecords = true
  #lines: string[] = []
  #bytes = 0
  #since: Timestamp | undefined

  constructor(
    merging: Merging,
    toText: ((bytes: Uint8Array) => string) | undefined,
    idleSeconds: number | undefined,
  ) {
    this.#merging = merging
    this.#toText = toText
    this.idleMilliseconds = idleSeconds === undefined ? undefined : Math.max(10, idleSeconds * 1000)
  }

  get isHolding(): boolean {
    return this.#lines.length > 0
  }

  decodeBytes(bytes: Uint8Array, emit: Emit, time: Timestamp): void {
    this.decode(
      this.#toText?.(bytes) ?? utf8Text(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
      emit,
      time,
    )
  }

  decode(text: string, emit: Emit, time: Timestamp): void {
    const lines = text.split('\n')
    while (lines[lines.length - 1] === '') lines.pop()
    for (const line of lines) {
      const belongs = this.#merging.belongs(line)
      if (this.#merging.previous) {
        if (!belongs || this.#isFull()) this.flush(emit)
        this.#keep(line, time)
      } else {
        this.#keep(line, time)
        if (!belongs || this.#isFull()) this.flush(emit)
      }
    }
  }

  #keep(line: string, time: Timestamp): void {
    if (this.#lines.length === 0) this.#since = time
    this.#lines.push(line)
    this.#bytes += Buffer.byteLength(line)
  }

  #isFull(): boolean {
    return this.#tooManyLines() || this.#tooManyBytes()
  }

  #tooManyLines(): boolean {
    return this.#lines.length > this.#merging.maxLines
  }

  #tooManyBytes(): boolean {
    return this.#bytes >= this.#merging.maxBytes
  }

  flush(emit: Emit): void {
    if (this.#lines.length === 0) return
    const { tag, keepOriginal } = this.#merging
    const message = this.#lines.join('\n')
    const event = new Event({ '@timestamp': this.#since!, '@version': '1', message })
    if (keepOriginal) event.set('[event][original]', message)
    if (tag !== '' && this.#lines.length > 1) event.tag(tag)
    if (this.#tooManyBytes()) event.tag('multiline_codec_max_bytes_reached')
    if (this.#tooManyLines()) event.tag('multiline_codec_max_lines_reached')
    this.#lines = []
    this.#bytes = 0
    emit(event)
  }
}
