/** Expands field lists with boosts, `["title^5", "body*"]`, to the fields of an index. */

import { hashMapOrder } from '../../../text/java-hash.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { illegalArgument } from '../../request/errors.ts'
import type { FieldBoost } from '../language/field-boost.ts'
import { readFieldBoost, withLastBoosts } from '../language/field-boost.ts'
import type { Binding } from './binding.ts'

interface ResolvedFields {
  readonly fields: readonly FieldBoost[]
  /** True when the list names all fields, alone or beside others, which makes a query lenient by default. */
  readonly isAll: boolean
}

const searched = new Set(['text', 'keyword', 'number', 'date', 'boolean', 'ip'])
/** OpenSearch expands patterns to these too, indexed or not. */
const alsoSearched = new Set(['completion', 'rank_feature', 'rank_features'])

/** Patterns select searchable fields only; an unknown plain name stays and matches nothing. */
export function resolveFields(binding: Binding, list: readonly FieldBoost[]): ResolvedFields {
  const wanted = list.length > 0 ? list : binding.context.defaultFields.map(readFieldBoost)
  const boosts = new Map<string, number>()
  for (const { name, boost } of withLastBoosts(wanted)) {
    const names = name.includes('*')
      ? expanded(binding, name).filter((one) => isSearched(binding, one))
      : [name]
    for (const found of names) {
      const concrete = binding.field(found)?.name ?? found
      boosts.set(concrete, Math.fround((boosts.get(concrete) ?? 1) * boost))
    }
  }
  const { maxClauses } = binding.context.limits
  if (boosts.size > maxClauses) {
    throw illegalArgument(
      `field expansion matches too many fields, limit: ${maxClauses}, got: ${boosts.size}`,
    )
  }
  return {
    // The order shows in descriptions only.
    fields: hashMapOrder([...boosts.keys()]).map((name) => ({ name, boost: boosts.get(name)! })),
    isAll: wanted.some(({ name }) => name === '*'),
  }
}

/** The number of metadata fields, which are in the same map. */
const metadataFields = 12

function expanded({ context }: Binding, pattern: string): readonly string[] {
  const names = context.fieldsMatching(pattern)
  return hashMapOrder(names, names.length + (pattern === '*' ? metadataFields : 0))
}

function isSearched(binding: Binding, name: string): boolean {
  const field: MappedField | undefined = binding.field(name)
  if (binding.context.isOpenSearch === true && field !== undefined && !name.startsWith('_'))
    return searched.has(field.family) || field.family === 'range' || alsoSearched.has(field.type)
  return field !== undefined && !name.startsWith('_') && searched.has(field.family) && field.isSearchable
}
