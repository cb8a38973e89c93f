/** Sections of a field that are those of another, as they often are of a text and its keyword: written once. */
import type { Section } from '../encoding/sections.ts'
import { SameSection } from '../segment-file.ts'

/** Only these are looked at, because whatever was looked at stays in memory until the last. */
const shared = /\.(?:text|ordinals|values|values\.text)$/

export function* withoutRepetition(
  sections: Iterable<readonly [name: string, section: Section]>,
): Iterable<readonly [name: string, section: Section | SameSection]> {
  const known = new Map<Section, string>()
  for (const [name, section] of sections) {
    if (!shared.test(name)) {
      yield [name, section]
      continue
    }
    const same = known.get(section) ?? sameTexts(known, section)
    known.set(section, same ?? name)
    yield [name, same === undefined ? section : new SameSection(same)]
  }
}

function sameTexts(known: ReadonlyMap<Section, string>, section: Section): string | undefined {
  if (!('ends' in section)) return undefined
  for (const [other, name] of known) {
    if (!('ends' in other) || other.ends.length !== section.ends.length) continue
    if (other.bytes.length !== section.bytes.length) continue
    if (isEqual(other.ends, section.ends) && isEqual(other.bytes, section.bytes)) return name
  }
  return undefined
}

function isEqual(left: Uint8Array | Uint32Array, right: Uint8Array | Uint32Array): boolean {
  return Buffer.compare(bytesOf(left), bytesOf(right)) === 0
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
