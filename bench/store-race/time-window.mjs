// A filter for a random part of the time that the documents span.
export function range({ from, to }, random, share) {
  const length = Math.ceil((to - from) * share)
  const start = from + random.below(to - from - length + 1)
  return {
    range: {
      '@timestamp': { gte: new Date(start).toISOString(), lte: new Date(start + length).toISOString() },
    },
  }
}
