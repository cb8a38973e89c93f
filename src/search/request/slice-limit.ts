/** `index.max_slices_per_scroll`: how many slices a search, or an update by query, may be divided into. */
import { illegalArgument } from './errors.ts'

export const defaultMaxSlices = 1024

export function checkSlices(slices: number, limit: number): void {
  if (slices <= limit) return
  throw illegalArgument(
    `The number of slices [${slices}] is too large. It must be less than [${limit}]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.`,
  )
}
