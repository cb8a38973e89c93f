/** For tests that look whether others get their rounds of the event loop. */

/** Counts rounds of the event loop until it is told to stop. */
export function countRounds(): { readonly stop: () => number } {
  let rounds = 0
  let isOver = false
  const count = (): void => {
    rounds++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  return {
    stop: () => {
      isOver = true
      return rounds
    },
  }
}
