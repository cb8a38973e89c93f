// How large a fleet has to be: from what one event costs in CPU time and bytes to numbers of machines, disks and
// partitions. Everything is linear in the rate, and limits are said where they are; `simulation.mjs` checks that the
// whole behaves as the sum of its parts.

/** What an event costs; CPU is seconds of one core. `docs/guide/scale.md` says which command measured which. */
export const measuredCosts = {
  edgeCpu: 10e-6,
  brokerWriteCpu: 4.2e-6,
  brokerReadCpu: 3.7e-6,
  /** CPU seconds an event costs the thread that reads Kafka. */
  readCpu: 20e-6,
  nodeCpu: 33.5e-6,
  clusterCpu: 110e-6,
  lineBytes: 195,
  logBytes: 75,
  bulkBytes: 970,
  documentBytes: 390,
}

/** What one machine has, and how busy it is planned to be. */
export const machine = { cores: 16, networkGbit: 10, diskTb: 8, use: 0.6 }

/** A disk that is fuller than that makes a cluster move or close indices. */
const fullest = 0.75
const shardBytes = 40e9
const brokerCopies = 3
/** Fewer are a fleet that one failure stops. */
const fewest = { edges: 2, brokers: 3, nodes: 3, dataNodes: 3 }

export function fleetFor({ rate, documents, replicas = 1 }, costs = measuredCosts, of = machine) {
  const machinesFor = (cpu, bytes) =>
    Math.ceil(
      Math.max((rate * cpu) / (of.cores * of.use), (rate * bytes * 8) / (of.networkGbit * 1e9 * of.use)),
    )
  const copies = replicas + 1
  // In from edges, to two followers, out to the group.
  const brokerBytes = costs.logBytes * (1 + (brokerCopies - 1) + 1)
  const brokerCpu = costs.brokerWriteCpu * brokerCopies + costs.brokerReadCpu
  const stored = documents * costs.documentBytes * copies
  const readers = Math.ceil((rate * costs.readCpu) / of.use)
  const nodes = Math.max(fewest.nodes, machinesFor(costs.nodeCpu, costs.logBytes + costs.bulkBytes))
  return {
    edges: Math.max(fewest.edges, machinesFor(costs.edgeCpu, costs.lineBytes + costs.logBytes)),
    brokers: Math.max(fewest.brokers, machinesFor(brokerCpu, brokerBytes)),
    nodes,
    /** Pipelines that read: each has one thread for Kafka. */
    readers: Math.max(nodes, readers),
    partitions: Math.max(12, 4 * Math.max(nodes, readers)),
    dataNodes: Math.max(
      fewest.dataNodes,
      machinesFor(costs.clusterCpu * copies, costs.bulkBytes * copies),
      Math.ceil(stored / (of.diskTb * 1e12 * fullest)),
    ),
    dataNodesByCpu: machinesFor(costs.clusterCpu * copies, 0),
    storedTb: stored / 1e12,
    shards: Math.ceil((documents * costs.documentBytes) / shardBytes),
    logTbADay: (rate * costs.logBytes * 86_400 * brokerCopies) / 1e12,
    networkGbit:
      (rate * (costs.lineBytes + costs.logBytes * (brokerCopies + 1) + costs.bulkBytes * copies) * 8) / 1e9,
  }
}
