/**
 * The attributes of a plugin block as option values: literals read, repeated attributes merged by
 * Logstash's rules (the first occurrence fixes how), `${VAR}` substituted afterwards.
 */

import { LsFloat } from '../../event/value.ts'
import type { HashNode, PluginNode, SectionType, ValueNode } from '../../lang/ast.ts'
import { type RawHash, RawPlugin, type RawValue } from '../../plugin/raw-value.ts'
import { hashMapOrder } from '../../text/java-hash.ts'
import { ConfigurationError } from './configuration-error.ts'
import { numberValue, unescapeText } from './literals.ts'

type HashOrder = 'logstash' | 'written'

export interface AttributeOptions {
  supportEscapes: boolean
  /** Whether the entries of a hash are applied as Logstash does, or as they are written. */
  hashOrder?: HashOrder | undefined
  /** Substitutes `${VAR}` anywhere in a text; a bracketed list comes back as an array. */
  substitute: (text: string) => string | string[]
  /** Replaces variables in `id`, which never reads the keystore. */
  substituteId: (text: string) => string
}

export function readAttributes(
  node: PluginNode,
  section: SectionType | 'codec',
  options: AttributeOptions,
): Map<string, RawValue> {
  const merged = new Map<string, RawValue>()
  for (const attribute of node.attributes) {
    const value = readValue(attribute.value, options)
    const earlier = merged.get(attribute.name)
    if (earlier === undefined && !merged.has(attribute.name)) merged.set(attribute.name, value)
    else if (attribute.name === 'codec' && section !== 'filter') throw severalCodecs(node, section)
    else merged.set(attribute.name, mergeRepeated(earlier ?? null, value))
  }
  for (const [name, value] of merged) {
    merged.set(
      name,
      name === 'id' && typeof value === 'string' ? options.substituteId(value) : substituteIn(value, options),
    )
  }
  return merged
}

function severalCodecs(node: PluginNode, section: string): ConfigurationError {
  return new ConfigurationError(
    `The ${section} plugin ${node.name} at line ${node.place.line} has multiple \`codec\` declarations - this is not a ` +
      `valid configuration, only one top-level \`codec\` per ${section} plugin is supported.`,
    node.place,
  )
}

function readValue(node: ValueNode, options: AttributeOptions): RawValue {
  switch (node.kind) {
    case 'string':
      return options.supportEscapes ? unescapeText(node.text) : node.text
    case 'bareword':
      return node.text
    case 'number':
      return numberValue(node)
    case 'array':
      return node.items.map((item) => readValue(item, options))
    case 'hash':
      return readHash(node, options)
    case 'plugin':
      return new RawPlugin(node.name, readAttributes(node, 'codec', options))
  }
}

function readHash(node: HashNode, options: AttributeOptions): RawHash {
  const hash = new Map<string, RawValue>()
  for (const { key, value } of node.entries) {
    const name =
      key.kind === 'number'
        ? String(numberValue(key))
        : key.kind === 'string' && options.supportEscapes
          ? unescapeText(key.text)
          : key.text
    hash.set(name, readValue(value, options))
  }
  return hash
}

function mergeRepeated(earlier: RawValue, later: RawValue): RawValue {
  if (earlier instanceof Map) return mergeIntoHash(earlier, later)
  if (Array.isArray(earlier)) return [...earlier, ...spread(later)]
  return same(earlier, later) ? earlier : [earlier, ...spread(later)]
}

function spread(value: RawValue): RawValue[] {
  if (Array.isArray(value)) return value
  return value instanceof Map ? [...value].map(([name, item]) => [name, item]) : [value]
}

function mergeIntoHash(earlier: RawHash, later: RawValue): RawHash {
  if (later instanceof Map) return mergeHashes(earlier, later, false)
  const added = new Map<string, RawValue>()
  for (const item of Array.isArray(later) ? later : [later]) added.set(String(item), null)
  return mergeHashes(earlier, added, false)
}

function mergeHashes(earlier: RawHash, later: RawHash, unite: boolean): RawHash {
  const merged = new Map(earlier)
  for (const [name, value] of later) {
    const old = merged.get(name)
    if (old === undefined) merged.set(name, value)
    else if (old instanceof Map && value instanceof Map) merged.set(name, mergeHashes(old, value, true))
    else if (!same(old, value)) merged.set(name, mergeValues(old, value, unite))
  }
  return merged
}

function mergeValues(old: RawValue, value: RawValue, unite: boolean): RawValue[] {
  const all = [...(Array.isArray(old) ? old : [old]), ...(Array.isArray(value) ? value : [value])]
  return unite ? all.filter((item, i) => all.findIndex((other) => same(other, item)) === i) : all
}

function same(a: RawValue, b: RawValue): boolean {
  if (a === b) return true
  if (a instanceof LsFloat && b instanceof LsFloat) return a.value === b.value
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => same(item, b[i]!))
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([name, item]) => b.has(name) && same(item, b.get(name)!))
  }
  return false
}

function substituteIn(value: RawValue, options: AttributeOptions): RawValue {
  if (typeof value === 'string') return value.includes('${') ? options.substitute(value) : value
  if (Array.isArray(value)) return value.map((item) => substituteIn(item, options))
  if (value instanceof Map) {
    const names = options.hashOrder === 'written' ? value.keys() : hashMapOrder([...value.keys()])
    const substituted = new Map<string, RawValue>()
    for (const name of names) substituted.set(name, substituteIn(value.get(name)!, options))
    return substituted
  }
  return value
}
