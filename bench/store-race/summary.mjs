// What the samples of the race say: medians, percentiles and ratios. The figures of one subject divided by those of
// another: below 1 the first needs less.

/** The least sample that this share of all samples does not exceed. */
export function percentile(samples, share) {
  if (samples.length === 0) return undefined
  const inOrder = [...samples].sort((a, b) => a - b)
  return inOrder[Math.max(0, Math.ceil(share * inOrder.length) - 1)]
}

export function median(samples) {
  if (samples.length === 0) return undefined
  const inOrder = [...samples].sort((a, b) => a - b)
  const half = inOrder.length >> 1
  return inOrder.length % 2 === 1 ? inOrder[half] : (inOrder[half - 1] + inOrder[half]) / 2
}

/** How far the middle half of the samples lies apart. */
const quartileSpread = (samples) => percentile(samples, 0.75) / percentile(samples, 0.25)

const ratio = (one, other) => (one === undefined || other === undefined ? undefined : one / other)

/** One entry per kind: figures by subject, and those of `ours` divided by those of every other. */
export function kindFigures(kinds, samples, wrong, ours) {
  return kinds.map(({ name, title }) => {
    const figures = {}
    for (const [subject, byKind] of samples) {
      const { wall, cpu } = byKind.get(name)
      const error = wrong.get(subject)?.get(name)?.found
      figures[subject] =
        error === undefined
          ? {
              wallMs: median(wall),
              cpuMs: median(cpu),
              cpuSpread: quartileSpread(cpu),
              samples: { wall, cpu },
            }
          : { error }
    }
    return { kind: name, title, figures, ratios: ratiosOf(figures, ours, ['wallMs', 'cpuMs']) }
  })
}

/** Returns our figures divided by those of every other subject. */
export function ratiosOf(figures, ours, names) {
  const others = Object.keys(figures).filter((subject) => subject !== ours)
  return Object.fromEntries(
    others.map((subject) => [
      subject,
      Object.fromEntries(names.map((name) => [name, ratio(figures[ours]?.[name], figures[subject][name])])),
    ]),
  )
}

/** What several clients at once saw of each subject: the middle turn's rates, and percentiles over all turns. */
export function crowdFigures(turnsOf, kinds) {
  const figures = {}
  for (const [subject, turns] of turnsOf) {
    const all = (turn) => [...turn.waits.values()].flat()
    const waits = turns.flatMap(all)
    figures[subject] = {
      requestsPerSecond: median(turns.map((turn) => all(turn).length / turn.elapsed)),
      p50: percentile(waits, 0.5),
      p95: percentile(waits, 0.95),
      cpuMsPerRequest: median(turns.map((turn) => turn.cpuMs / all(turn).length)),
      documentsPerSecond: median(turns.map((turn) => turn.documents / turn.elapsed)),
      kinds: Object.fromEntries(
        kinds.map(({ name }) => {
          const own = turns.flatMap((turn) => turn.waits.get(name))
          return [name, { requests: own.length, p50: percentile(own, 0.5), p95: percentile(own, 0.95) }]
        }),
      ),
    }
  }
  return figures
}
