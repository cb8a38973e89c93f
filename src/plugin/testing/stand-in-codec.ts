/**
 * Codecs simple enough to test inputs and outputs with, when the test does not care about the codec:
 * names that contain `json` read and write JSON, all others put the text into `message`.
 */
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { isFields } from '../../event/value.ts'
import type { CodecInstance } from '../define.ts'

const newline = new Uint8Array([10])

export function standInCodec(name: string): CodecInstance {
  const json = name.includes('json')
  const lines = name.endsWith('line') || name.endsWith('lines')
  return {
    delimiter: lines ? newline : undefined,
    decode(text, emit, time) {
      const parsed = json ? parseJson(text) : { message: text }
      for (const data of Array.isArray(parsed) ? parsed : [parsed]) {
        if (isFields(data)) emit(Event.from(data, time))
      }
    },
    encode: (event) => (json ? event.toJson() : event.toString()) + (lines ? '\n' : ''),
  }
}
