// Floor of single filters: node filters.mjs GROUP EVENTS, prints µs of CPU per filter and event as JSON.
// Each filter is the plain JavaScript beside its configuration in ../filters. The events of a batch are made before
// its clock starts, so only the work on them counts; the first third of the batches warms up.
import { groups } from '../filters/index.mjs'
import { bareCopies, bareEvent, COPIES, messageOf } from '../filters/sample-event.mjs'

const MIN_US = 0.001
const BATCH = 125

function microsPerFilter(events, filter) {
  const message = messageOf(filter.fields)
  const work = bareCopies(filter)
  const batches = Math.ceil(events / BATCH)
  let total = 0
  for (let turn = -Math.ceil(batches / 2); turn < batches; turn++) {
    const batch = Array.from({ length: BATCH }, () => bareEvent(message))
    const before = process.cpuUsage()
    for (const event of batch) work(event)
    const { user, system } = process.cpuUsage(before)
    if (turn >= 0) total += user + system
  }
  return Math.max(MIN_US, total / (batches * BATCH * COPIES))
}

const [group, events] = process.argv.slice(2)
const values = {}
for (const [name, filter] of Object.entries(groups[group])) {
  values[name] = microsPerFilter(Number(events), filter)
}
process.stdout.write(JSON.stringify(values))
