/** A wait with a limit. */
import { maxTimer } from '../../time/max-timer.ts'

/** Waits for work, but not longer than so many milliseconds. False when the time was over before. */
export async function within(millis: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(millis, maxTimer))
  })
  const isDone = await Promise.race([work.then(() => true as const), over])
  clearTimeout(timer)
  return isDone
}
