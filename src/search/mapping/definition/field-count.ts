/** Refuses mappings with far too many fields before they are parsed. */
import { illegalArgument } from '../../request/errors.ts'

/** Each member of `properties` counts as a field, valid or not. */
export function checkFieldCount(json: unknown, limit: number): void {
  let count = 0
  const rest: unknown[] = [json]
  while (rest.length > 0) {
    const node = rest.pop()
    if (typeof node !== 'object' || node === null) continue
    for (const key of ['properties', '_doc']) {
      const inner: unknown = Object.hasOwn(node, key) ? (node as Record<string, unknown>)[key] : undefined
      if (typeof inner !== 'object' || inner === null) continue
      if (key === '_doc') rest.push(inner)
      else {
        const fields = Object.values(inner)
        count += fields.length
        for (const field of fields) rest.push(field)
      }
    }
    if (count > limit) throw illegalArgument(`Limit of total fields [${limit}] has been exceeded`)
  }
}
