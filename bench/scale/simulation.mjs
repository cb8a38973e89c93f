// A discrete-event simulation of a fleet: senders write batches to the partitions of a topic, nodes of one consumer
// group take batches of their partitions, work on them and wait until the cluster behind them has stored them. Nodes
// die and come; then the group divides its partitions anew. What comes out is how fast the fleet is, how far it falls
// behind, and how long it takes to catch up.
//
// A batch is the unit: 10^6 events a second are 1,000 batches of 1,000. Times are seconds, sizes events.
import { seeded } from '../generate/random.mjs'

/**
 * fleet: nodes, cores (of a node, those that work on events), partitions, rate (events a second of all senders),
 * batch (events), eventSeconds (of one core for an event), storeCores, documentSeconds (of one core of the cluster for
 * a document), underWay (batches of a node that are not stored yet, at most), sessionSeconds, drainSeconds (a
 * rebalance waits for what is under way), storeParts (shards that share a request), seconds, skew (share of the load on the busiest partition beyond an even
 * one: 0 even), troubles [{ at, kind: 'dies' | 'joins' }], warmUp (seconds that do not count).
 */
export function simulate(fleet, seed = 1) {
  const { below } = seeded(seed)
  const random = () => below(2 ** 32) / 2 ** 32
  const { batch, seconds, partitions } = fleet
  const clock = new Clock()
  const backlog = Array.from({ length: partitions }, () => [])
  const nodes = Array.from({ length: fleet.nodes }, newNode)
  const store = { busy: 0, waiting: [] }
  const result = { stored: 0, arrived: 0, maxLag: 0, waits: [], nodeBusy: 0, storeBusy: 0, pauses: 0 }
  const warmUp = fleet.warmUp ?? 0
  const parts = fleet.storeParts ?? 1
  let isDividing = false

  const divide = () => {
    const members = nodes.filter(({ isMember }) => isMember)
    for (const node of nodes) node.mine = []
    for (let p = 0; p < partitions && members.length > 0; p++) members[p % members.length].mine.push(p)
  }

  // Members stop, wait for what is under way, commit and ask for their places; nobody reads meanwhile.
  const rebalance = () => {
    if (isDividing) return
    isDividing = true
    result.pauses += 1
    clock.after(fleet.drainSeconds, () => {
      isDividing = false
      divide()
      for (const node of nodes) feed(node)
    })
  }

  const arrive = (partition) => {
    backlog[partition].push(clock.now)
    if (clock.now >= warmUp) result.arrived += batch
    const owner = nodes.find(({ mine }) => mine.includes(partition))
    if (owner !== undefined) feed(owner)
  }

  const feed = (node) => {
    if (isDividing || !node.isAlive || !node.isMember) return
    while (node.busy < fleet.cores && node.underWay < fleet.underWay) {
      // The oldest first, as a fetch of all partitions brings it.
      let oldest
      for (const p of node.mine) {
        if (backlog[p].length > 0 && (oldest === undefined || backlog[p][0] < backlog[oldest][0])) oldest = p
      }
      if (oldest === undefined) return
      const taken = { node, partition: oldest, since: backlog[oldest].shift() }
      node.busy += 1
      node.underWay += 1
      node.batches.add(taken)
      const work = batch * fleet.eventSeconds * spread(random)
      result.nodeBusy += work
      clock.after(work, () => {
        if (!node.isAlive) return
        node.busy -= 1
        request(taken)
        feed(node)
      })
    }
  }

  // A request is divided among the shards it touches, and answered when all of them have their part.
  const request = (taken) => {
    const part = { taken, left: parts }
    for (let i = 0; i < parts; i++) store.waiting.push(part)
    serve()
  }

  const serve = () => {
    while (store.busy < fleet.storeCores && store.waiting.length > 0) {
      const part = store.waiting.shift()
      store.busy += 1
      const work = (batch / parts) * fleet.documentSeconds * spread(random)
      result.storeBusy += work
      clock.after(work, () => {
        store.busy -= 1
        part.left -= 1
        if (part.left === 0) finish(part.taken)
        serve()
      })
    }
  }

  const finish = (taken) => {
    const { node, since } = taken
    if (clock.now >= warmUp) {
      result.stored += batch
      result.waits.push(clock.now - since)
    }
    node.underWay -= 1
    node.batches.delete(taken)
    feed(node)
  }

  const begin = (partition, every) => {
    const next = () => {
      arrive(partition)
      if (clock.now < seconds) clock.after(every * exponential(random), next)
    }
    clock.after(every * exponential(random), next)
  }

  const share = (p) =>
    p === 0
      ? 1 / partitions + (fleet.skew ?? 0)
      : (1 - 1 / partitions - (fleet.skew ?? 0)) / (partitions - 1 || 1)
  for (let p = 0; p < partitions; p++) if (share(p) > 0) begin(p, batch / (fleet.rate * share(p)))
  for (const { at, kind } of fleet.troubles ?? [])
    clock.after(at, () => {
      if (kind === 'joins') {
        nodes.push(newNode())
        rebalance()
        return
      }
      const node = nodes.find(({ isAlive }) => isAlive)
      if (node === undefined) return
      node.isAlive = false
      // The group hears of it when the session is over; what was under way stays in the log till then.
      clock.after(fleet.sessionSeconds, () => {
        node.isMember = false
        // What it had under way and did not commit is read again, by whoever has the partition then.
        for (const { partition, since } of node.batches) backlog[partition].unshift(since)
        rebalance()
      })
    })
  const look = () => {
    const lag = backlog.reduce((sum, waiting) => sum + waiting.length, 0) * batch
    result.maxLag = Math.max(result.maxLag, lag)
    result.lag = lag
    if (lag <= result.arrived * 0.001 + 2 * batch * partitions) result.caughtUpAt ??= clock.now
    else result.caughtUpAt = undefined
    if (clock.now < seconds) clock.after(0.05, look)
  }
  divide()
  look()
  clock.run(seconds)
  const counted = seconds - warmUp
  const sorted = result.waits.sort((a, b) => a - b)
  return {
    throughput: result.stored / counted,
    lag: result.lag,
    maxLag: result.maxLag,
    latency: {
      median: sorted[sorted.length >> 1] ?? Number.NaN,
      p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    },
    nodeUse: result.nodeBusy / (seconds * fleet.nodes * fleet.cores),
    storeUse: result.storeBusy / (seconds * fleet.storeCores),
    pauses: result.pauses,
    isBehind: result.lag > fleet.rate * 2,
  }
}

function newNode() {
  return { isAlive: true, isMember: true, busy: 0, underWay: 0, batches: new Set(), mine: [] }
}

/** Work differs from batch to batch: half to one and a half of the mean. */
function spread(random) {
  return 0.5 + random()
}

function exponential(random) {
  return -Math.log(1 - random())
}

/** Events in the order of their times: a binary heap. */
class Clock {
  now = 0
  #heap = []
  #count = 0

  after(seconds, run) {
    const heap = this.#heap
    let at = heap.push({ time: this.now + seconds, order: this.#count++, run }) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at], heap[parent])) break
      ;[heap[at], heap[parent]] = [heap[parent], heap[at]]
      at = parent
    }
  }

  run(until) {
    while (this.#heap.length > 0 && this.#heap[0].time <= until) {
      const { time, run } = this.#pop()
      this.now = time
      run()
    }
  }

  #pop() {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0) return first
    heap[0] = last
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isBefore(heap[child], heap[least])) least = child
      if (least === at) return first
      ;[heap[at], heap[least]] = [heap[least], heap[at]]
      at = least
    }
  }
}

function isBefore(one, other) {
  return one.time < other.time || (one.time === other.time && one.order < other.order)
}
