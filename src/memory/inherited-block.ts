/** A block of memory that every thread of the process sees: made by the first that asks, inherited by its threads. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

export function inheritedBlock(key: string, bytes: number): SharedArrayBuffer {
  const inherited = getEnvironmentData(key) as unknown
  if (inherited instanceof SharedArrayBuffer && inherited.byteLength === bytes) return inherited
  const fresh = new SharedArrayBuffer(bytes)
  setEnvironmentData(key, fresh as never)
  return fresh
}
