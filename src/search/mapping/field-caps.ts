/** The `_field_caps` of one index; responses of several indices are merged elsewhere. */

import { simpleMatch } from '../request/simple-match.ts'
import type { Mapping } from './mapping.ts'

interface FieldCapability {
  readonly name: string
  readonly type: string
  readonly isMetadata: boolean
  readonly isSearchable: boolean
  readonly isAggregatable: boolean
  readonly meta: Readonly<Record<string, string>> | undefined
}

const metadata: readonly FieldCapability[] = (
  [
    ['_id', true, true],
    ['_ignored', true, true],
    ['_index', true, true],
    ['_routing', true, false],
    ['_seq_no', true, true],
    ['_source', false, false],
    ['_version', false, true],
  ] as const
).map(([name, isSearchable, isAggregatable]) => ({
  name,
  type: name,
  isMetadata: true,
  isSearchable,
  isAggregatable,
  meta: undefined,
}))

/** Returns fields, objects and aliases that one of the patterns matches. */
export function fieldCapabilities(mapping: Mapping, patterns: readonly string[]): FieldCapability[] {
  const wanted = (name: string) => patterns.some((pattern) => simpleMatch(pattern, name))
  const found = metadata.filter(({ name }) => wanted(name))
  for (const name of [...mapping.fields.keys(), ...mapping.aliases.keys()]) {
    if (!wanted(name)) continue
    const field = mapping.field(name)!
    const { type, meta, isSearchable, isAggregatable } = field
    found.push({ name, type, isMetadata: false, isSearchable, isAggregatable, meta })
  }
  for (const [name, node] of mapping.objects) {
    // Parent objects of a matching field are included.
    if (!wanted(name) && !found.some((field) => field.name.startsWith(`${name}.`))) continue
    const type = node.definition.isNested ? 'nested' : 'object'
    found.push({ name, type, isMetadata: false, isSearchable: false, isAggregatable: false, meta: undefined })
  }
  return found
}
