/**
 * One look at a whole chunk of JSON documents: false when no number in it can be one that JSON.parse would
 * spoil (see json-number-scan.ts), so that none of its documents has to be looked at again. Places found by
 * the vector scan are checked here; a place inside a string is rarely mistaken for a number, and then only
 * costs time.
 */

import { isPlainFloat } from '../value.ts'
import { loadScanModule, longRunFlag, memoryBytes, type ScanModule } from './number-scan-module.ts'

const start = 16
const capacity = memoryBytes - start - 32
/** Pieces of a large chunk overlap by this much; a longer number counts as suspicious. */
const maxNumberLength = 64

let module: ScanModule | undefined

export function mayHaveInexactNumber(chunk: Uint8Array): boolean {
  module ??= loadScanModule()
  for (let at = 0; ; at += capacity - maxNumberLength) {
    const piece = chunk.subarray(at, at + capacity)
    if (scanPiece(module, piece)) return true
    if (at + capacity >= chunk.length) return false
  }
}

function scanPiece({ memory, scan }: ScanModule, piece: Uint8Array): boolean {
  const end = start + piece.length
  memory.set(piece, start)
  memory.fill(0, end, end + 32)
  for (let at = scan(start, end); at >= 0; ) {
    if (at >= longRunFlag) {
      const block = at - longRunFlag
      if (hasLongRun(memory, block)) return true
      at = scan(block + 16, end)
    } else {
      if (isInexactNumber(memory, at)) return true
      at = scan(at + 1, end)
    }
  }
  return false
}

/** Sixteen or more digits in a row through the block, as a number. */
function hasLongRun(memory: Uint8Array, block: number): boolean {
  for (const middle of [block + 4, block + 12]) if (isInexactNumber(memory, middle)) return true
  return false
}

/** Whether the place lies in a number, outside of words, whose value natively reads as another kind. */
function isInexactNumber(memory: Uint8Array, place: number): boolean {
  let first = place
  while (first > start && place - first < maxNumberLength && isNumberPart(memory[first - 1]!)) first--
  if (first > start && !precedesNumber(memory[first - 1]!)) return false
  let last = place
  while (last - place < maxNumberLength && isNumberPart(memory[last]!)) last++
  if (last - first >= maxNumberLength) return true
  if (!followsNumber(memory[last]!)) return false
  const text = Buffer.from(memory.buffer, first, last - first).toString('latin1')
  if (!jsonNumber.test(text) || shortInteger.test(text)) return false
  const value = Number(text)
  return !isPlainFloat(value)
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
const shortInteger = /^-?\d{1,15}$/

function isNumberPart(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) || byte === 46 || byte === 45 || byte === 43 || byte === 101 || byte === 69
  )
}

function precedesNumber(byte: number): boolean {
  return byte === 58 || byte === 44 || byte === 91 || byte === 32 || byte === 10 || byte === 13 || byte === 9
}

/** Zero is the end of the chunk. */
function followsNumber(byte: number): boolean {
  return (
    byte === 44 ||
    byte === 125 ||
    byte === 93 ||
    byte === 32 ||
    byte === 10 ||
    byte === 13 ||
    byte === 9 ||
    byte === 0
  )
}
