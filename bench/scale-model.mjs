// How large a fleet has to be, and whether the model that says so holds.
//   node bench/scale-model.mjs             the table of sizes, and the simulation of each
//   node bench/scale-model.mjs --measure   one node and two nodes on this machine, measured beside what is predicted
//   --events N   lines of a measurement, default 400,000   --quota Q   part of a core for each node, default 0.3
//   --json FILE  everything as JSON
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measure, missing } from './scale/measure.mjs'
import { fleetFor, machine, measuredCosts } from './scale/model.mjs'
import { simulate } from './scale/simulation.mjs'

const { values: options } = parseArgs({
  options: {
    measure: { type: 'boolean', default: false },
    events: { type: 'string', default: '400000' },
    quota: { type: 'string', default: '0.3' },
    json: { type: 'string' },
  },
})
const sessionSeconds = 10
const micro = (seconds) => `${(seconds * 1e6).toFixed(1)} µs`
const thousand = (number) =>
  number >= 1e6 ? `${(number / 1e6).toFixed(2)} M` : `${(number / 1e3).toFixed(1)} k`
const table = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  for (const row of rows)
    console.log(row.map((cell, column) => String(cell).padStart(widths[column])).join('  '))
  console.log()
}

const report = { costs: measuredCosts, machine }
if (options.measure) report.measured = await measured()
report.sizes = sizes()
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`)

/** The sizes of docs/guide/scale.md, each checked by two minutes in which a node dies and another one comes. */
function sizes() {
  console.log(`machines of ${machine.cores} cores, planned to be ${machine.use * 100} % busy`)
  const rows = [
    [
      ...[
        'events/s',
        'documents',
        'edges',
        'brokers',
        'nodes',
        'readers',
        'partitions',
        'data nodes',
        'by CPU',
      ],
      ...['disk TB', 'Gbit/s', 'simulated/s', 'most lag', 'lag at the end'],
    ],
  ]
  const found = [
    [1e4, 1e9],
    [1e5, 1e10],
    [1e6, 1e12],
  ].map(([rate, documents]) => {
    const fleet = fleetFor({ rate, documents })
    const simulated = simulate({
      nodes: fleet.nodes,
      cores: machine.cores,
      partitions: fleet.partitions,
      rate,
      batch: Math.max(125, rate / 1000),
      eventSeconds: measuredCosts.nodeCpu,
      storeCores: fleet.dataNodes * machine.cores,
      documentSeconds: measuredCosts.clusterCpu * 2,
      storeParts: 12,
      underWay: machine.cores * 2,
      sessionSeconds,
      drainSeconds: 2,
      seconds: 120,
      warmUp: 5,
      troubles: [
        { at: 20, kind: 'dies' },
        { at: 40, kind: 'joins' },
      ],
    })
    rows.push([
      ...[thousand(rate), documents.toExponential(0), fleet.edges, fleet.brokers, fleet.nodes, fleet.readers],
      ...[fleet.partitions, fleet.dataNodes, fleet.dataNodesByCpu],
      ...[fleet.storedTb.toFixed(1), fleet.networkGbit.toFixed(1), thousand(simulated.throughput)],
      ...[`${(simulated.maxLag / rate).toFixed(1)} s`, `${(simulated.lag / rate).toFixed(1)} s`],
    ])
    return { rate, documents, fleet, simulated }
  })
  table(rows)
  return found
}

async function measured() {
  const problem = missing()
  if (problem !== undefined) {
    console.log(`not measured: ${problem}\n`)
    return undefined
  }
  const quota = Number(options.quota)
  const results = await measure({
    events: Number(options.events),
    quota,
    say: (text) => console.log(`… ${text}`),
  })
  const { edge, alone, reader, limited } = results
  console.log('\nCPU of one event')
  table([
    ['stdin → disk queue → Kafka', micro(edge.cpu)],
    ['broker, written once', micro(edge.broker)],
    ['Kafka → grok, date → bulk', micro(alone.cpu)],
    ['Kafka → nothing', micro(reader.cpu)],
    ['broker, read once', micro(alone.broker)],
    ['bytes in the log', edge.bytes.toFixed(0)],
    ['bytes of a bulk request', alone.bytes.toFixed(0)],
    ['memory of a node, MB', (alone.memory / 1e6).toFixed(0)],
  ])
  const rows = [['nodes', 'cores each', 'predicted/s', 'measured/s', 'ratio', 'µs/event', 'predicted from']]
  const predict = (nodes, eventSeconds) =>
    simulate({
      ...{ nodes, cores: 1, partitions: 12, batch: 125, storeCores: 64, documentSeconds: 1e-6, eventSeconds },
      ...{ rate: 1e6, underWay: 4, sessionSeconds, drainSeconds: 1, seconds: 20, warmUp: 2 },
    }).throughput
  // The first is predicted from what an event costs a node that has a core for itself and from the part of a core
  // that the machine gave; the second from the rate of the first.
  for (const [index, one] of limited.entries()) {
    const first = limited[0]
    one.predicted = index === 0 ? predict(1, alone.cpu / first.cores) : predict(one.nodes, 1 / first.rate)
    rows.push([
      ...[one.nodes, (one.cores / one.nodes).toFixed(2), thousand(one.predicted), thousand(one.rate)],
      ...[(one.rate / one.predicted).toFixed(2), (one.cpu * 1e6).toFixed(1)],
      index === 0 ? 'CPU of an event' : 'one node',
    ])
  }
  if (limited.length > 0) table(rows)
  else console.log('one and two nodes with parts of a core: needs root and the cpu controller of cgroups\n')
  const joined = limited.find(({ pause }) => pause !== undefined)
  if (joined !== undefined)
    console.log(
      `a third node joins: nothing arrives for ${joined.pause.toFixed(2)} s; predicted: up to a heartbeat, ${results.heartbeatSeconds} s, and what is under way\n`,
    )
  return results
}
