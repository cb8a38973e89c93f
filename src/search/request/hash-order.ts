/** Names in the order of Java's hash map, where clients see it as the order of a list. */
export function hashOrder(names: readonly string[]): string[] {
  let size = 16
  while (names.length > size * 0.75) size *= 2
  const slot = (name: string) => {
    let hash = 0
    for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0
    return (hash ^ (hash >>> 16)) & (size - 1)
  }
  return names.toSorted((one, other) => slot(one) - slot(other))
}
