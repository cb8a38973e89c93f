/**
 * One block of memory that every thread of the process sees without asking another thread, so that even a
 * thread which never comes back to its event loop takes part: levels of loggers, and who runs where. Made
 * before the first thread starts (`bin/millrace.js`, or here in a library); further threads inherit it.
 */
import { inheritedBlock } from '../../memory/inherited-block.ts'

/** `bin/millrace.js` has both as literals: it loads nothing before it starts the first thread. */
const key = 'millrace.memory'
const size = 256 * 1024

const levelBytes = 64 * 1024

const shared = inheritedBlock(key, size)

export interface MemoryPart {
  readonly buffer: SharedArrayBuffer
  readonly offset: number
  readonly length: number
}

export const levelMemory: MemoryPart = { buffer: shared, offset: 0, length: levelBytes }
export const rosterMemory: MemoryPart = { buffer: shared, offset: levelBytes, length: size - levelBytes }
