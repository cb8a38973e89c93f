/**
 * A WebAssembly function that looks at JSON bytes sixteen at a time for places where a number may stand
 * that JSON.parse would spoil. Written instruction by instruction below; `number-scan.ts` uses it.
 *
 *   scan(from, end) -> offset of the next place to look at, or -1
 *
 * A place is: `e`/`E` behind a digit and before a digit or sign; `.` before `0` or `9`, or behind what may be
 * eight digits; eight digits in a row on an eight-byte border (then the offset is that of the block, with
 * bit 30 set).
 */

/** Just what we use of the global WebAssembly object; the compiler's standard library does not know it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Record<string, unknown> }
}

export interface ScanModule {
  /** Bytes to scan begin at offset 16; sixteen zero bytes must follow them. */
  readonly memory: Uint8Array
  scan(from: number, end: number): number
}

export const longRunFlag = 0x40000000
export const memoryBytes = 2 * 65536

const from = 0
const end = 1
const here = 2
const next = 3
const before = 4
const found = 5

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const int = (value: number) => [0x41, ...signed(value)]
const simd = (opcode: number) => [0xfd, ...unsigned(opcode)]
const lanes = (byte: number) => [...simd(0x0c), ...Array<number>(16).fill(byte)]
const load = (offset: number) => [...simd(0x00), 0, offset]
const equal = simd(0x23)
const both = simd(0x4e)
const either = simd(0x50)
const is = (local: number, char: string) => [...get(local), ...lanes(char.charCodeAt(0)), ...equal]
const isDigit = (local: number) => [...get(local), ...lanes(48), ...simd(0x71), ...lanes(10), ...simd(0x26)]
const earlier = (bytes: number) => [...get(from), ...int(bytes), 0x6b, ...load(0), ...set(before)]
const returnIf = (value: number[]) => [0x04, 0x40, ...value, 0x0f, 0x0b]

const body = [
  [0x03, 0x40],
  [...get(from), ...get(end), 0x4f, ...returnIf(int(-1))],
  [...get(from), ...load(0), ...set(here)],
  [...get(from), ...load(1), ...set(next)],
  [...get(from), ...int(1), 0x6b, ...load(0), ...set(before)],
  // exponent: (here | 0x20) == 'e', digit before, digit or sign behind
  [...get(here), ...lanes(0x20), ...either, ...lanes(0x65), ...equal, ...isDigit(before), ...both],
  [...isDigit(next), ...is(next, '+'), ...either, ...is(next, '-'), ...either, ...both],
  // fraction that begins with 0 or 9
  [...is(here, '.'), ...is(next, '0'), ...is(next, '9'), ...either, ...both],
  [...either],
  // fraction behind eight digits, of which four are looked at
  [...is(here, '.'), ...isDigit(before), ...both],
  [...[3, 6, 8].flatMap((back) => [...earlier(back), ...isDigit(before), ...both])],
  [...either, ...simd(0x64), 0x22, found],
  returnIf([...get(from), ...get(found), 0x68, 0x6a]),
  // eight digits: both halves of the digit mask are compared with all ones
  [...isDigit(here), ...lanes(0xff), ...simd(0xd6), ...simd(0x53)],
  returnIf([...get(from), ...int(longRunFlag), 0x72]),
  [...get(from), ...int(16), 0x6a, ...set(from)],
  [0x0c, 0, 0x0b],
  [0x00, 0x0b],
].flat()

/** One i32 local besides the vectors: 3 of type v128, 1 of type i32. */
const code = [2, 3, 0x7b, 1, 0x7f, ...body]

const bytes = [
  [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  section(1, [1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f]),
  section(3, [1, 0]),
  section(5, [1, 0x00, memoryBytes / 65536]),
  section(7, [2, ...name('m'), 0x02, 0, ...name('s'), 0x00, 0]),
  section(10, [1, ...unsigned(code.length), ...code]),
].flat()

export function loadScanModule(): ScanModule {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)))
  const { buffer } = exports['m'] as { buffer: ArrayBuffer }
  return { memory: new Uint8Array(buffer), scan: exports['s'] as ScanModule['scan'] }
}

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}

/** LEB128, the integer encoding of WebAssembly. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const last = value >= -64 && value < 64
  return last ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]
}
