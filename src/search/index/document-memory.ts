/**
 * Memory of a large document while it is taken apart: its text, its values and tokens, its part of the write buffer and
 * of the log. It is counted before, as a document of some dozens of megabytes may take all that a small node has.
 */

import { CircuitBreaking } from '../memory-refused.ts'
import type { StoreMemory } from '../store-memory.ts'

/** Measured with texts of short words, which have the most tokens. */
const perByte = 12
const label = '<document>'

/** Throws when there is no room. Call what it gives when the document is written. */
export function admitDocument({ breakers }: StoreMemory, length: number): () => void {
  const { request } = breakers
  const bytes = length * perByte
  // One at a time may take more than its share, if the process has it.
  const isAlone = request.used === 0
  const refusal = breakers.check(bytes, label, isAlone) ?? (isAlone ? undefined : request.take(bytes, label))
  if (refusal !== undefined) throw new CircuitBreaking(refusal)
  if (isAlone) request.hold(bytes)
  return () => request.giveBack(bytes)
}
