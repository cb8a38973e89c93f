/**
 * The lines of a sincedb, in Logstash's format:
 *   <inode> <major> <minor> <offset> <last active, seconds since 1970> <path>
 * Old ones have only the first four. A wrong offset would skip lines or read them twice, so ours carry a checksum
 * where Logstash reads on as if it were not there: the seconds have nine decimals, three of the milliseconds and six
 * of a CRC-32 over the line. It also covers whether another line follows, so that a file that was cut off is noticed.
 */
import { crc32 } from 'node:zlib'

export interface Position {
  readonly offset: number
  /** Milliseconds since 1970; when the offset last changed. */
  readonly active: number
  readonly path: string | undefined
}

const recordLine = /^(\S+ \d+ \d+) (\d+)(?: (\d+(?:\.\d+)?)(?: (.*))?)?$/
const checkedSeconds = /^(\d+\.\d{3})(\d{6})$/
/** Any time since 1973; what is shorter is half of another number. */
const anySeconds = /^\d{9,}(?:\.|$)/

function checksum(key: string, offset: string, seconds: string, path: string, isLast: boolean): string {
  const covered = `${isLast ? 'last' : 'more'} ${key} ${offset} ${seconds} ${path}`
  return String(crc32(covered) % 1_000_000).padStart(6, '0')
}

export function encodeRecords(records: readonly (readonly [key: string, position: Position])[]): string {
  return records
    .map(([key, { offset, active, path = '' }], at) => {
      const seconds = (active / 1000).toFixed(3)
      const sum = checksum(key, String(offset), seconds, path, at === records.length - 1)
      return `${key} ${offset} ${seconds}${sum}${path === '' ? '' : ` ${path}`}\n`
    })
    .join('')
}

interface DecodedRecords {
  readonly records: readonly (readonly [key: string, position: Position])[]
  /** Lines that are not as they were written; one more when lines are missing at the end. */
  readonly damaged: number
}

export function decodeRecords(text: string, now: number): DecodedRecords {
  const records: [string, Position][] = []
  let damaged = 0
  const given = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  // A sincedb is written as a whole: either all lines have checksums or none.
  const isOurs = given.some((line) => checkedSeconds.test(recordLine.exec(line)?.[3] ?? ''))
  // A last line without an end was cut off; in files that others wrote it counts if it goes as far as the path.
  const isTorn = given.length > 0 && !text.endsWith('\n')
  if (isTorn && (isOurs || recordLine.exec(given.at(-1)!)?.[4] === undefined)) {
    damaged += 1
    given.pop()
  }
  for (const [at, line] of given.entries()) {
    const match = recordLine.exec(line)
    if (match === null) {
      damaged += 1
      continue
    }
    const [, key = '', offset = '', seconds, path] = match
    const checked = seconds === undefined ? null : checkedSeconds.exec(seconds)
    if ((isOurs && checked === null) || (seconds !== undefined && !anySeconds.test(seconds))) {
      damaged += 1
      continue
    }
    if (checked !== null) {
      const sumOf = (isLast: boolean) => checksum(key, offset, checked[1]!, path ?? '', isLast)
      const isLast = at === given.length - 1
      if (checked[2] !== sumOf(isLast)) {
        damaged += 1
        // The line itself is whole; what is wrong is that no other one follows, or that one does.
        if (checked[2] !== sumOf(!isLast)) continue
      }
    }
    const active = seconds === undefined ? now : Number(checked?.[1] ?? seconds) * 1000
    records.push([key, { offset: Number(offset), active, path }])
  }
  return { records, damaged }
}
