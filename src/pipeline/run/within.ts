/** Waits for work, but not longer than so many milliseconds. False when the time was over before. */
export async function within(millis: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(millis, maxTimeout))
  })
  const isDone = await Promise.race([work.then(() => true as const), over])
  clearTimeout(timer)
  return isDone
}

/** Timers cannot wait longer. */
export const maxTimeout = 2 ** 31 - 1
