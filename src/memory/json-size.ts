/**
 * How much memory the values of a JSON text take, before it is parsed. `JSON.parse` cannot be stopped: a text that becomes
 * more than the heap has left ends the whole process, whatever limits its thread has. Three bytes can become forty.
 */

import { getHeapStatistics } from 'node:v8'
import { backslash, colon, comma, openBrace, openBracket, quote } from '../text/ascii.ts'
import { memoryAccount } from './memory-account.ts'

/** Shorter texts are not looked at: whatever they are, there is room for it. */
const minLength = 512 * 1024
/** A value in its list or object, and what the name of a member takes besides, in bytes. */
const taken = { value: 48, name: 112 }
/** Shares of the thread's heap and of the process memory: a document exists in two or three forms at a time. */
const maxShare = { heap: 0.2, memory: 0.3 }

export interface JsonSize {
  /** What the values take, estimated. */
  readonly bytes: number
  readonly limit: number
}

/** Undefined when there is room for the values of the text. */
export function jsonTooLarge(
  text: string,
  heapLimit = heapOfThread(),
  memoryLimit = memoryAccount.limit,
): JsonSize | undefined {
  if (text.length < minLength) return undefined
  const bytes = jsonBytes(text)
  const limit = maxJsonBytes(heapLimit, memoryLimit)
  return bytes > limit ? { bytes, limit } : undefined
}

/** What the values of one text may take in this thread. */
export function maxJsonBytes(heapLimit = heapOfThread(), memoryLimit = memoryAccount.limit): number {
  return Math.floor(Math.min(heapLimit * maxShare.heap, memoryLimit * maxShare.memory))
}

/** About, for so many lists, objects, elements and members, and so many names of members. */
export function jsonValueBytes(values: number, names: number): number {
  return values * taken.value + names * taken.name
}

/** Counts lists, objects, their members and elements; the characters of strings are not counted. */
export function jsonBytes(text: string): number {
  let values = 0
  let names = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === comma || code === openBracket || code === openBrace) values += 1
    else if (code === colon) names += 1
  }
  return jsonValueBytes(values, names)
}

/** Where the quote is that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

let heapLimit: number | undefined

function heapOfThread(): number {
  heapLimit ??= getHeapStatistics().heap_size_limit
  return heapLimit
}
