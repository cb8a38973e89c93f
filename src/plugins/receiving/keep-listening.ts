/** Listens until the input has to stop: a port that fails is opened again after a pause. */
import type { Stop } from './stop.ts'

const reopenMilliseconds = 5000

/** `listen` resolves when the input has to stop; `died` hears why a port failed before that. */
export async function keepListening(
  stop: Stop,
  listen: () => Promise<void>,
  died: (error: Error) => void,
): Promise<void> {
  while (!stop.isRequested) {
    try {
      await listen()
    } catch (error) {
      if (stop.isRequested) return
      died(error as Error)
      await stop.sleep(reopenMilliseconds)
    }
  }
}
