/**
 * Encodes a batch of events into as few byte buffers as possible: one per target. Texts are joined first and
 * turned into bytes a good piece at a time, because each crossing into native code costs more than a copy.
 * Buffers are used again: whoever got blocks gives them back with `recycle` when their bytes are written,
 * or takes copies with `ownBlocks`.
 */
import type { Event } from '../event/event.ts'
import { cutIntoLines, jsonListText } from '../event/json/json-lines-batch.ts'
import type { Block, CodecInstance } from './define.ts'

interface Encode {
  (event: Event): string | Uint8Array
  /** It gives the event's JSON and a newline, so that several events may be written at once. */
  readonly writesJsonLines?: boolean
}

/** The encoding side of an output's codec. */
export function encodeOf(codec: CodecInstance, name: string): Encode {
  if (codec.encode === undefined) throw new Error(`The codec ${name} cannot encode events`)
  return Object.assign(codec.encode.bind(codec), { writesJsonLines: codec.writesJsonLines ?? false })
}

const firstSize = 256 * 1024
const keptSize = 8 * 1024 * 1024
/** Characters joined before they become bytes; keeps one exotic character from widening a whole batch. */
const pieceLength = 8 * 1024

/** Events written to JSON in one go. */
const eventsAtOnce = 32

/** Spare buffers kept for the next batches. */
const maxSpares = 4
const spares: Buffer[] = []
const encoder = new TextEncoder()

let scratch: Buffer = Buffer.alloc(0)
let used = 0
let joined = ''

function reserve(bytes: number): void {
  if (used + bytes <= scratch.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(used + bytes, scratch.length * 2, firstSize))
  larger.set(scratch.subarray(0, used))
  scratch = larger
}

function settle(): void {
  if (joined === '') return
  reserve(joined.length > 1_000_000 ? Buffer.byteLength(joined) : joined.length * 3)
  used += encoder.encodeInto(joined, scratch.subarray(used)).written
  joined = ''
}

function append(piece: string | Uint8Array): void {
  if (typeof piece === 'string') {
    joined += piece
    if (joined.length >= pieceLength) settle()
    return
  }
  settle()
  reserve(piece.length)
  scratch.set(piece, used)
  used += piece.length
}

function begin(): void {
  scratch = spares.pop() ?? Buffer.allocUnsafeSlow(firstSize)
  used = 0
  joined = ''
}

function finish(): Uint8Array {
  settle()
  const bytes = scratch.subarray(0, used)
  joined = ''
  return bytes
}

/** Blocks with memory of their own, to keep or to send away; the shared memory is free again. */
export function ownBlocks(blocks: readonly Block[]): Block[] {
  const own = blocks.map(({ target, bytes, count }) => ({ target, bytes: new Uint8Array(bytes), count }))
  recycle(blocks)
  return own
}

/** Gives the buffers of blocks back; their bytes must not be read any more. */
export function recycle(blocks: readonly Block[]): void {
  for (const { bytes } of blocks) {
    const { buffer } = bytes
    if (spares.length >= maxSpares || buffer.byteLength < firstSize || buffer.byteLength > keptSize) continue
    if (spares.every((spare) => spare.buffer !== buffer)) spares.push(Buffer.from(buffer))
  }
}

/** All events into one block, in order. */
export function encodeBlock(events: readonly Event[], encode: Encode, target: string): Block {
  begin()
  if (encode.writesJsonLines) appendJsonLines(events, encode)
  else for (const event of events) append(encode(event))
  return { target, bytes: finish(), count: events.length }
}

/** Runs of changed events together, events that still have their text one by one. */
function appendJsonLines(events: readonly Event[], encode: Encode): void {
  for (let i = 0; i < events.length; ) {
    let end = i
    while (end < events.length && end - i < eventsAtOnce && events[end]!.raw === null) end += 1
    if (end - i > 1 && appendList(events, i, end)) {
      i = end
      continue
    }
    end = Math.max(end, i + 1)
    for (; i < end; i++) append(encode(events[i]!))
  }
}

function appendList(events: readonly Event[], from: number, to: number): boolean {
  const text = jsonListText(events, from, to)
  if (text === undefined) return false
  settle()
  reserve(text.length * 3)
  const { written } = encoder.encodeInto(text, scratch.subarray(used))
  if (!cutIntoLines(scratch.subarray(used, used + written), to - from)) return false
  scratch.copyWithin(used, used + 1, used + written)
  used += written - 1
  return true
}

/** One block per target, in the order in which the targets first appear. */
export function encodeByTarget(
  events: readonly Event[],
  encode: Encode,
  targetOf: (event: Event) => string,
): Block[] {
  const groups = groupByTarget(events, targetOf)
  const blocks: Block[] = []
  for (const [target, group] of groups) blocks.push(encodeBlock(group, encode, target))
  return blocks
}

export function groupByTarget(
  events: readonly Event[],
  targetOf: (event: Event) => string,
): Map<string, Event[]> {
  const groups = new Map<string, Event[]>()
  let target: string | undefined
  let group: Event[] = []
  for (const event of events) {
    const next = targetOf(event)
    if (next !== target) {
      target = next
      const known = groups.get(next)
      if (known === undefined) groups.set(next, (group = []))
      else group = known
    }
    group.push(event)
  }
  return groups
}

/**
 * Events kept apart inside a block, for targets that take them one by one:
 * per event four bytes of length (big endian), then that many bytes.
 */
export function encodeFrames(events: readonly Event[], encode: Encode, target: string): Block {
  const head = Buffer.allocUnsafe(4)
  begin()
  for (const event of events) {
    const piece = encode(event)
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    head.writeUInt32BE(length, 0)
    append(head)
    append(piece)
  }
  return { target, bytes: finish(), count: events.length }
}

/** The parts `encodeFrames` put into a block; they share its memory. */
export function readFrames(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const frames: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const length = view.getUint32(at)
    frames.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return frames
}
