/** FNV-1a, the hash by Fowler, Noll and Vo: quick for the short keys that ids are. */
export const fnvBasis = 0x811c_9dc5

/** The raw 32-bit state, signed; callers mix it for their table. Another basis gives an independent hash. */
export function fnv1a(bytes: Uint8Array, from: number, to: number, basis = fnvBasis): number {
  let hash = basis
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x0100_0193)
  return hash
}
