/** Replaces a section that equals an earlier one by an alias, as often happens for a text field and its keyword. */
import type { Section } from '../encoding/sections.ts'
import { SectionAlias } from '../segment-file.ts'

/** Only these are compared, because every candidate stays in memory until the end. */
const shared = /\.(?:text|ordinals|values|values\.text)$/

export function* withoutRepetition(
  sections: Iterable<readonly [name: string, section: Section]>,
): Iterable<readonly [name: string, section: Section | SectionAlias]> {
  const known = new Map<Section, string>()
  for (const [name, section] of sections) {
    if (!shared.test(name)) {
      yield [name, section]
      continue
    }
    const same = known.get(section) ?? sameTexts(known, section)
    known.set(section, same ?? name)
    yield [name, same === undefined ? section : new SectionAlias(same)]
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
