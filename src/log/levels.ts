/**
 * Which logger prints at which level. Names form a tree at their dots: a logger without a level of its
 * own takes that of its nearest ancestor, and the root is the empty name. Every name has one cell that
 * its loggers share, so asking whether a level is on is one comparison.
 */

export const recordLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const
export type RecordLevel = (typeof recordLevels)[number]
export type Level = 'ALL' | RecordLevel | 'OFF'

export const rankOf: Readonly<Record<Level, number>> = {
  ALL: 0,
  TRACE: 1,
  DEBUG: 2,
  INFO: 3,
  WARN: 4,
  ERROR: 5,
  FATAL: 6,
  OFF: 7,
}

/** The effective threshold of one logger name. */
export interface LevelCell {
  readonly name: string
  level: Level
  threshold: number
}

/** Loggers that always have a level of their own. */
const fixedLevels: ReadonlyMap<string, Level> = new Map([
  ['slowlog', 'TRACE'],
  ['deprecation', 'WARN'],
])

const cells = new Map<string, LevelCell>()
const explicit = new Map<string, Level>()
let startLevel: Level = 'INFO'
resetLevels()
for (const name of ['logstash.agent', 'logstash.runner', 'slowlog', 'deprecation']) levelCell(name)

export function levelCell(name: string): LevelCell {
  let cell = cells.get(name)
  if (cell === undefined) {
    const level = effectiveLevel(name)
    cell = { name, level, threshold: rankOf[level] }
    cells.set(name, cell)
  }
  return cell
}

/** Sets the level of a logger and of all below it that have none of their own. */
export function setLevel(name: string, level: string): void {
  const parsed = parseLevel(level)
  if (parsed === undefined) throw new Error(`invalid level[${level}] for logger[${name}]`)
  explicit.set(name, parsed)
  if (name !== '') levelCell(name)
  refresh()
}

/** Goes back to the levels the process started with. */
export function resetLevels(): void {
  explicit.clear()
  explicit.set('', startLevel)
  for (const [name, level] of fixedLevels) explicit.set(name, level)
  refresh()
}

/** The level of the root at start-up; clears what was set since. */
export function setStartLevel(level: string): void {
  const parsed = parseLevel(level)
  if (parsed === undefined) throw new Error(`invalid level[${level}] for logger[]`)
  startLevel = parsed
  resetLevels()
}

/** Effective level by logger name, sorted by name; the root has the empty name. */
export function levels(): Map<string, Level> {
  const names = [...cells.keys()].sort()
  return new Map([
    ['', effectiveLevel('')],
    ...names.map((name): [string, Level] => [name, effectiveLevel(name)]),
  ])
}

export function parseLevel(level: string): Level | undefined {
  const upper = level.toUpperCase()
  return Object.hasOwn(rankOf, upper) ? (upper as Level) : undefined
}

function effectiveLevel(name: string): Level {
  for (let prefix = name; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))) {
    const level = explicit.get(prefix)
    if (level !== undefined) return level
  }
  return explicit.get('') ?? startLevel
}

function refresh(): void {
  for (const cell of cells.values()) {
    cell.level = effectiveLevel(cell.name)
    cell.threshold = rankOf[cell.level]
  }
}
