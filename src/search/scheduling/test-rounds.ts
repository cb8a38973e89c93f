/** For tests that check whether the event loop keeps running. */

/** Counts event loop iterations until it is stopped. */
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
