/** Ties the loggers of this thread to the levels all threads share. */
import { shareLevels } from '../log/levels.ts'
import { SharedLevels } from '../log/shared-levels.ts'
import { levelMemory } from './memory/process-memory.ts'

export function useSharedLevels(): void {
  shareLevels(new SharedLevels(levelMemory.buffer, levelMemory.offset, levelMemory.length))
}
