// What one of two states of the same process costs against the other: short slices of both in turn, each pair of
// neighbours compared with itself, so that a machine that gets faster or slower over seconds does not count. The order
// within a pair turns round from pair to pair, so that drift within pairs falls on both states alike.

/** Runs `count` pairs; each slice answers an object, and the pairs come back as `[first state, second state]`. */
export async function inPairs(count, one, other) {
  const pairs = []
  for (let n = 0; n < count; n++) {
    if (n % 2 === 0) {
      const first = await one()
      pairs.push([first, await other()])
    } else {
      const second = await other()
      pairs.push([await one(), second])
    }
  }
  return pairs
}

/** The middle and the quartiles of the pairs' ratios: half of all pairs lie between the two. */
export function ratioOf(pairs, value) {
  const ratios = pairs.map(([one, other]) => value(one) / value(other)).sort((a, b) => a - b)
  return { lower: quantile(ratios, 0.25), median: quantile(ratios, 0.5), upper: quantile(ratios, 0.75) }
}

function quantile(inOrder, part) {
  const at = (inOrder.length - 1) * part
  const below = inOrder[Math.floor(at)]
  return below + (inOrder[Math.ceil(at)] - below) * (at - Math.floor(at))
}
