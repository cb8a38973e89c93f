/** Waiting between two tries; ends at once, with an error, when the pipeline has to stop. */
import { setTimeout } from 'node:timers/promises'

/** Longer timers of Node end at once. */
export const maxTimer = 2 ** 31 - 1

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.min(milliseconds, maxTimer), undefined, { signal })
}

/** How long most outputs wait between two tries, at the most, in milliseconds. */
export const usualLongestPause = 30_000

/** Doubling from `first` to `longest` milliseconds, for the given try (0, 1, 2 …). */
export function doubling(attempt: number, first: number, longest = usualLongestPause): number {
  return Math.min(longest, first * 2 ** Math.min(attempt, 30))
}
