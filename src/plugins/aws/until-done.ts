/** Work of an input against a service that may be away: failures are waited out, each longer than the one before. */

import { exponentialBackOff } from '../delivery/pause.ts'
import type { Stop } from '../receiving/stop.ts'

const firstPauseMilliseconds = 1000
const maxPauseMilliseconds = 60_000

/** Repeats the work until it says that it is done, or the input has to stop. */
export async function untilDone(
  stop: Stop,
  work: () => Promise<boolean>,
  failed: (error: unknown, seconds: number) => void,
): Promise<void> {
  for (let failures = 0; !stop.isRequested; ) {
    try {
      if (await work()) return
      failures = 0
    } catch (error) {
      if (stop.isRequested) return
      const milliseconds = exponentialBackOff(failures, firstPauseMilliseconds, maxPauseMilliseconds)
      failures += 1
      failed(error, milliseconds / 1000)
      await stop.sleep(milliseconds)
    }
  }
}
