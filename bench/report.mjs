// The report as Markdown: where, calibration, one table for throughput and one for single figures, and what went
// wrong. `× limit` is the subject's median divided by the limit program's median of the same run; 1 is the floor.
// `× Millrace` is a peer's median divided by ours; above 1 the peer needs more.
import { statistics } from './statistics.mjs'

const MAX_SAID_LENGTH = 1000

/** One entry per case, subject and quantity, ready to print or to keep as JSON. */
export function summarise(results) {
  return results.flatMap((row) =>
    row.case.quantities.map((quantity) => {
      const figures = row.error === undefined && row.samples.length > 0 ? figuresOf(row, quantity) : undefined
      const floor = results.find((other) => other.case === row.case && other.subject.name === 'limit')
      const counts = figures !== undefined && floor.error === undefined && floor.samples.length > 0
      const least = counts ? figuresOf(floor, quantity) : undefined
      return {
        case: row.case.id,
        subject: row.subject.name,
        quantity,
        ...figures,
        ratio: least === undefined ? undefined : figures.median / least.median,
        error: row.error,
      }
    }),
  )
}

/** Undefined for what a subject has nothing to do with. */
function figuresOf(row, quantity) {
  const values = row.samples.map((sample) => sample.values[quantity])
  return values.includes(undefined) ? undefined : statistics(values)
}

/** `stolen`: seconds of processor time that other guests of the host took meanwhile; undefined when not known. */
export function markdown({ machine, loadAfter, stolen, calibration, results, options }) {
  const summary = summarise(results)
  const parts = [
    `# Benchmark, ${options.rounds} rounds`,
    whereText(machine, loadAfter, stolen, summary),
    calibrationTable(calibration),
    throughputTable(results, summary),
    peerTable(results, summary),
    pointTable(results, summary),
    published(results),
    remarks(results),
    troubles(results),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The machine, and how busy others kept it: the first lines of every report. */
export const machineLines = (machine, loadAfter, stolen) => [
  `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryMb} MB, ${machine.system}, Node ${machine.node}`,
  `- Load average: ${machine.load.join(', ')} before, ${loadAfter.join(', ')} after`,
  ...(stolen === undefined
    ? []
    : [`- Taken by other guests of the host: ${digits(stolen)} s of processor time`]),
]

function whereText(machine, loadAfter, stolen, summary) {
  const noisy = summary.some((entry) => entry.noisy && entry.quantity !== 'events/s')
  const peers = machine.peers.length === 0 ? 'none' : machine.peers.join(', ')
  return [
    ...machineLines(machine, loadAfter, stolen),
    `- Peers: ${peers}`,
    ...(noisy ? ['- Noisy: a spread above 1.6, so this run is no measure for a gate'] : []),
  ].join('\n')
}

function calibrationTable(calibration) {
  const rows = [
    ['JSON round trip of a fixed event', 'json'],
    ['regular expression on fixed lines', 'regex'],
  ].map(([title, key]) => {
    const figures = statistics(calibration.map((sample) => sample[key]))
    return [title, digits(figures.min), digits(figures.median), spreadText(figures)]
  })
  return table(['calibration', 'CPU µs min', 'median', 'spread'], rows)
}

function throughputTable(results, summary) {
  const rows = results
    .filter((row) => row.case.kind === 'throughput')
    .map((row) => {
      const [cpu, rate, rss] = row.case.quantities.map((quantity) => find(summary, row, quantity))
      if (cpu.median === undefined)
        return [row.case.id, row.subject.name, '', '', '', '', '', '', '', brief(row)]
      return [
        row.case.id,
        row.subject.name,
        row.samples[0].events.toLocaleString('en'),
        digits(cpu.min),
        digits(cpu.median),
        Math.round(rate.median).toLocaleString('en'),
        rss.median === 0 ? 'n/a' : Math.round(rss.median),
        ratioText(cpu),
        spreadText(cpu),
        row.samples[0].digest.sha256?.slice(0, 8) ?? 'lines only',
      ]
    })
  if (rows.length === 0) return ''
  const head = ['case', 'subject', 'events', 'CPU µs/event min', 'median', 'events/s', 'max RSS MB']
  return table([...head, '× limit', 'spread', 'digest'], rows)
}

function peerTable(results, summary) {
  const rows = results
    .filter((row) => row.subject.kind === 'peer' && row.case.kind === 'throughput')
    .map((row) => {
      const peer = find(summary, row, 'CPU µs/event')
      if (peer.median === undefined) return [row.case.id, row.subject.name, '', '', brief(row)]
      const ours = find(summary, { case: row.case, subject: { name: 'millrace' } }, 'CPU µs/event')
      const known = ours?.median !== undefined
      return [
        row.case.id,
        row.subject.name,
        digits(peer.median),
        known ? digits(ours.median) : '',
        known ? (peer.median / ours.median).toFixed(2) : 'no speed of ours',
      ]
    })
  return rows.length === 0
    ? ''
    : table(['case', 'peer', 'CPU µs/event median', 'Millrace median', '× Millrace'], rows)
}

function pointTable(results, summary) {
  const rows = results
    .filter((row) => row.case.kind === 'point')
    .flatMap((row) =>
      row.case.quantities.map((quantity) => {
        const figures = find(summary, row, quantity)
        const start = [row.case.id, row.subject.name, quantity]
        if (figures.median === undefined && row.error === undefined && row.samples.length > 0)
          return [...start, '', '', '', 'none']
        if (figures.median === undefined) return [...start, '', '', '', brief(row)]
        return [
          ...start,
          digits(figures.min),
          digits(figures.median),
          ratioText(figures),
          spreadText(figures),
        ]
      }),
    )
  return rows.length === 0
    ? ''
    : table(['case', 'subject', 'quantity', 'min', 'median', '× limit', 'spread'], rows)
}

/** What others have printed about the same chain, on their machines: an order of magnitude, no ratio. */
function published(results) {
  const cases = new Set(results.map((row) => row.case).filter((each) => each.published !== undefined))
  return [...cases].map(({ id, published: figures }) => `- ${id}, published elsewhere: ${figures}`).join('\n')
}

/** What a case found out about its own runs and whoever reads the figures has to know. */
function remarks(results) {
  const cases = new Set(results.map((row) => row.case).filter((each) => each.remarks?.size > 0))
  return [...cases].map(({ id, remarks: texts }) => `- ${id}: ${[...texts].join('; ')}`).join('\n')
}

function troubles(results) {
  const wrong = results.filter((row) => row.error !== undefined)
  if (wrong.length === 0) return ''
  const texts = wrong.map((row) => {
    const said = row.said ? `\n\n\`\`\`\n${row.said.slice(0, MAX_SAID_LENGTH)}\n\`\`\`` : ''
    return `- ${row.case.id}, ${row.subject.name}: ${row.error}${said}`
  })
  return `## Without a speed\n\n${texts.join('\n')}`
}

const find = (summary, row, quantity) =>
  summary.find(
    (entry) =>
      entry.case === row.case.id && entry.subject === row.subject.name && entry.quantity === quantity,
  )

const brief = (row) => row.error.split(' (')[0]
export const digits = (value) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3)
const ratioText = ({ ratio }) => (ratio === undefined ? '' : ratio.toFixed(2))
const spreadText = ({ spread, noisy }) => `${spread.toFixed(2)}${noisy ? ' noisy' : ''}`
const cell = (value) => String(value).replaceAll('|', '\\|')
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`
export const table = (head, rows) =>
  [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map((row) => line(row))].join('\n')
