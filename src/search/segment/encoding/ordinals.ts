/**
 * Ordinals by document in the narrowest array that holds them all. Most columns of logs have few distinct values: a
 * byte or two a document instead of four keep a column of doc values in the cache that would be evicted otherwise.
 */
export type Ordinals = Uint8Array | Uint16Array | Uint32Array

/** Returns an array for numbers up to `max`. */
export function ordinalsUpTo(max: number, length: number): Ordinals {
  if (max < 1 << 8) return new Uint8Array(length)
  return max < 1 << 16 ? new Uint16Array(length) : new Uint32Array(length)
}
