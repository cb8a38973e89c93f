/** Waiting between two tries; ends at once, with an error, when the pipeline has to stop. */
import { setTimeout } from 'node:timers/promises'
import { maxTimer } from '../../time/max-timer.ts'

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.min(milliseconds, maxTimer), undefined, { signal })
}

/** The maximum pause of most outputs, in milliseconds. */
export const defaultMaxPause = 30_000

/** Returns the pause in milliseconds after the given try (0, 1, 2 …): `first`, doubled with each try up to `max`. */
export function exponentialBackOff(attempt: number, first: number, max = defaultMaxPause): number {
  return Math.min(max, first * 2 ** Math.min(attempt, 30))
}
