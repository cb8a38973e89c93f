// The report of the race as Markdown: what loading cost, each kind alone, and several clients at once.
import { digits, machineLines, table } from '../report.mjs'

const OURS = 'millrace'
/** Between the quartiles of a kind's turns. */
const NOISY_ABOVE = 1.6
const times = (value) => (value === undefined ? '' : value.toFixed(2))
const figure = (value) => (value === undefined ? '' : digits(value))
const rounded = (value) => Math.round(value).toLocaleString('en')

export function raceMarkdown(report) {
  const { options, loads, kinds, crowd, besideIngest, wrong } = report
  const parts = [
    `# Store race, ${rounded(options.events)} documents, ${options.rounds} rounds of ${options.requests} requests, seed ${options.seed}`,
    whereText(report),
    `## Loading\n\n${loadTable(loads)}`,
    `## One request at a time\n\n${kindTable(kinds, report.subjects)}`,
    slower(kinds),
    crowdText(`${options.clients} clients, all kinds`, crowd),
    crowdText(`${options.clients} clients, all kinds, beside full-speed ingest`, besideIngest),
    wrongText(wrong),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function whereText({ machine, loadAfter, stolen, usedByRace, usedByOthers, subjects, remarks }) {
  return [
    ...machineLines(machine, loadAfter, stolen),
    `- Processor time of the race ${rounded(usedByRace)} s, of other programs meanwhile ${rounded(usedByOthers)} s`,
    ...subjects.map((name) => `- ${name}: ${remarks[name]}`),
  ].join('\n')
}

function loadTable(loads) {
  const rows = Object.entries(loads).map(([subject, load]) => [
    subject,
    rounded(load.documentsPerCpuSecond),
    rounded(load.documentsPerSecond),
    digits(load.indexMB),
    load.segments,
    rounded(load.residentMB),
    rounded(load.residentAfterMB),
  ])
  const head = ['subject', 'documents/CPU s', 'documents/s', 'index MB', 'segments', 'RSS MB after loading']
  return table([...head, 'RSS MB at the end'], rows)
}

function kindTable(kinds, subjects) {
  const others = subjects.filter((name) => name !== OURS)
  const head = ['kind', ...subjects.flatMap((name) => [`${name} wall ms`, 'CPU ms'])]
  const compared = others.flatMap((name) => [`× ${name} wall`, 'CPU'])
  const rows = kinds.map(({ kind, figures, ratios }) => [
    kind,
    ...subjects.flatMap((name) => {
      const { wallMs, cpuMs, cpuSpread, error } = figures[name]
      if (error !== undefined) return ['wrong answer: no speed', '']
      return [figure(wallMs), `${figure(cpuMs)}${cpuSpread > NOISY_ABOVE ? ' noisy' : ''}`]
    }),
    ...others.flatMap((name) => [times(ratios[name].wallMs), times(ratios[name].cpuMs)]),
  ])
  return table([...head, ...compared], rows)
}

/** Where ours needs more than another subject. */
function slower(kinds) {
  const found = kinds.flatMap(({ kind, ratios }) =>
    Object.entries(ratios).flatMap(([subject, { wallMs, cpuMs }]) =>
      wallMs > 1 || cpuMs > 1
        ? [`- ${kind}: ${times(wallMs)} × wall, ${times(cpuMs)} × CPU of ${subject}`]
        : [],
    ),
  )
  return found.length === 0 ? '' : `Slower than another subject:\n\n${found.join('\n')}`
}

function crowdText(title, crowd) {
  if (crowd === undefined) return ''
  const subjects = Object.keys(crowd)
  const ours = crowd[OURS]
  const rows = subjects.map((name) => {
    const own = crowd[name]
    return [
      name,
      digits(own.requestsPerSecond),
      digits(own.p50),
      digits(own.p95),
      digits(own.cpuMsPerRequest),
      ...(own.documentsPerSecond > 0 ? [rounded(own.documentsPerSecond)] : []),
      ...(name === OURS
        ? ['', '']
        : [times(ours.requestsPerSecond / own.requestsPerSecond), times(ours.p95 / own.p95)]),
    ]
  })
  const hasIngest = ours.documentsPerSecond > 0
  const head = [
    'subject',
    'requests/s',
    'p50 ms',
    'p95 ms',
    'CPU ms/request',
    ...(hasIngest ? ['documents/s'] : []),
  ]
  const whole = table([...head, 'requests/s of millrace ×', 'p95 of millrace ×'], rows)
  const byKind = Object.keys(ours.kinds).map((kind) => [
    kind,
    ...subjects.flatMap((name) => [figure(crowd[name].kinds[kind].p50), figure(crowd[name].kinds[kind].p95)]),
  ])
  const each = table(['kind', ...subjects.flatMap((name) => [`${name} p50 ms`, 'p95'])], byKind)
  return `## ${title}\n\n${whole}\n\n${each}`
}

function wrongText(wrong) {
  if (wrong.length === 0) return ''
  const texts = wrong.map(
    ({ subject, kind, found, request }) => `- ${subject}, ${kind}: ${found}\n  \`${request.body}\``,
  )
  return `## Without a speed\n\n${texts.join('\n')}`
}
