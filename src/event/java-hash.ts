/**
 * The order in which Java's HashMap gives its keys. Logstash holds hash options and the maps inside `%{…}` in
 * such maps, so the order is visible: in which `add_field` comes first, and in the text of a map.
 */

const defaultCapacity = 16
const loadFactor = 0.75

/** `String.hashCode` of Java: 31-adic over UTF-16 units, in 32 bits. */
export function javaHashCode(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

/**
 * The names as a HashMap that took them in this order would give them: by bucket, inside a bucket as they
 * came. A table that starts at `capacity` doubles when it is three quarters full, which keeps the order
 * inside buckets.
 */
export function inHashMapOrder(names: readonly string[], capacity = defaultCapacity): string[] {
  if (names.length < 2) return [...names]
  let size = 1
  while (size < capacity) size *= 2
  while (names.length > Math.floor(size * loadFactor)) size *= 2
  const last = size - 1
  return names
    .map((name) => ({ name, bucket: spread(javaHashCode(name)) & last }))
    .sort((a, b) => a.bucket - b.bucket)
    .map(({ name }) => name)
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16)
}
