/** Replaces a section that equals an earlier one by an alias, as often happens for a text field and its keyword. */
import { murmur3 } from '../../../text/murmur3.ts'
import type { Section, TextList } from '../encoding/sections.ts'
import { SectionAlias } from '../segment-file.ts'

/** Only these are compared, because every candidate stays in memory until the end. */
const shared = /\.(?:text|ordinals|values|values\.text)$/

/** Longer bytes are hashed by their beginning and end. */
const maxHashed = 4096

export function* withoutRepetition(
  sections: Iterable<readonly [name: string, section: Section]>,
): Iterable<readonly [name: string, section: Section | SectionAlias]> {
  /** The names under which sections are written. */
  const names = new Map<Section, string>()
  /** Written texts by a hash: a segment may have tens of thousands of fields. */
  const texts = new Map<string, TextList[]>()
  for (const [name, section] of sections) {
    if (!shared.test(name)) {
      yield [name, section]
      continue
    }
    let same = names.get(section)
    if (same === undefined && 'ends' in section) {
      const key = keyOf(section)
      const alike = texts.get(key) ?? []
      const equal = alike.find((other) => areSame(other, section))
      if (equal === undefined) texts.set(key, [...alike, section])
      else same = names.get(equal)
    }
    names.set(section, same ?? name)
    yield [name, same === undefined ? section : new SectionAlias(same)]
  }
}

function keyOf({ bytes, ends }: TextList): string {
  return `${ends.length} ${bytes.length} ${hashOf(bytes)} ${hashOf(bytesOf(ends))}`
}

function hashOf(bytes: Uint8Array): number {
  const { length } = bytes
  if (length <= maxHashed) return murmur3(bytes, 0)
  const half = maxHashed / 2
  return murmur3(bytes.subarray(0, half), murmur3(bytes.subarray(length - half), 0))
}

function areSame(left: TextList, right: TextList): boolean {
  return isEqual(left.ends, right.ends) && isEqual(left.bytes, right.bytes)
}

function isEqual(left: Uint8Array | Uint32Array, right: Uint8Array | Uint32Array): boolean {
  return Buffer.compare(bytesOf(left), bytesOf(right)) === 0
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
