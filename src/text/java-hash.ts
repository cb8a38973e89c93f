/**
 * Hashes of Java, the order of a HashMap that follows from them, and how Java prints an object that has no text of its
 * own. Logstash, Elasticsearch and OpenSearch hold names in such maps, so clients see the order: which `add_field`
 * comes first, the text of a map, lists of fields in responses.
 */

/** `String.hashCode`: a 32-bit number with a sign. */
export function javaHash(text: string): number {
  let value = 0
  for (let at = 0; at < text.length; at++) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0
  return value
}

const defaultCapacity = 16
const loadFactor = 0.75

/**
 * Orders names as a HashMap that took them in this order iterates over them: by bucket, inside a bucket as they were
 * added. A table that starts at `capacity` doubles when it is three quarters full, which keeps the order inside
 * buckets. `count` is the number of all entries of the map when some are left out.
 */
export function hashMapOrder(
  names: readonly string[],
  count = names.length,
  capacity = defaultCapacity,
): string[] {
  if (names.length < 2) return [...names]
  let size = 1
  while (size < capacity) size *= 2
  while (count > Math.floor(size * loadFactor)) size *= 2
  const last = size - 1
  return names
    .map((name) => ({ name, bucket: spread(javaHash(name)) & last }))
    .sort((a, b) => a.bucket - b.bucket)
    .map(({ name }) => name)
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16)
}

/** `Class@1b2c3d4`: the number stands for the address of an object, and is the same for the same `contents`. */
export function javaObject(className: string, contents: string): string {
  return `${className}@${(javaHash(contents) >>> 0).toString(16)}`
}
