/** What became of an event between two looks at it, field by field, for a reader. Names are dotted. */
import { flatten, valueText } from './documents.ts'

export interface FieldChange {
  readonly field: string
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
  readonly before?: string
  readonly after?: string
}

/** In the order of the later event; what is gone comes last. */
export function changesBetween(before: unknown, after: unknown): FieldChange[] {
  const old = new Map(flatten(before))
  const now = new Map(flatten(after))
  const changes: FieldChange[] = [...now].map(([field, value]) => {
    const text = valueText(value)
    if (!old.has(field)) return { field, kind: 'added', after: text }
    const earlier = valueText(old.get(field))
    if (earlier === text) return { field, kind: 'same', after: text }
    return { field, kind: 'changed', before: earlier, after: text }
  })
  for (const [field, value] of old)
    if (!now.has(field)) changes.push({ field, kind: 'removed', before: valueText(value) })
  return changes
}
