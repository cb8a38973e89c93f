// What a list of samples says: the least, the middle one, and how far they lie apart. More than 1.6 between the
// greatest and the least means that something else used the machine; such a row is marked and decides nothing.
const NOISY_ABOVE = 1.6

export function statistics(samples) {
  const inOrder = [...samples].sort((a, b) => a - b)
  const half = inOrder.length >> 1
  const median = inOrder.length % 2 === 1 ? inOrder[half] : (inOrder[half - 1] + inOrder[half]) / 2
  const spread = inOrder.at(-1) / inOrder[0]
  return { min: inOrder[0], median, spread, noisy: spread > NOISY_ABOVE }
}
