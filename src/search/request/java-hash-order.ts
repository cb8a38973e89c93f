/**
 * Orders names as Java's HashMap iterates over them, where clients see that order in a list. `count` is the number of
 * all entries of the map when some are left out.
 */
export function javaHashOrder(names: readonly string[], count = names.length): string[] {
  let size = 16
  while (count > size * 0.75) size *= 2
  const slot = (name: string) => {
    let hash = 0
    for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0
    return (hash ^ (hash >>> 16)) & (size - 1)
  }
  return names.toSorted((one, other) => slot(one) - slot(other))
}
