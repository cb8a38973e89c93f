/**
 * Which logger prints at which level. Names form a tree at their dots: a logger without a level of its
 * own takes that of its nearest ancestor, and the root is the empty name. Every name has one cell that
 * its loggers share, so asking whether a level is on is one comparison.
 */
import type { SharedLevels } from './shared-levels.ts'

const recordLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const
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
  ['audit', 'INFO'],
])

const cells = new Map<string, LevelCell>()
/** Set since the start, by logger name. */
let overrides = new Map<string, Level>()
let shared: SharedLevels | undefined
let startLevel: Level = 'INFO'
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

/** Whether lines of this rank are printed now. */
export function isOn(cell: LevelCell, rank: number): boolean {
  if (shared?.isChanged()) adopt(shared)
  return rank >= cell.threshold
}

/** From now on levels are those of all threads that share this memory. */
export function shareLevels(levels: SharedLevels): void {
  shared = levels
  adopt(levels)
}

/** Sets the level of a logger and of all below it that have none of their own. */
export function setLevel(name: string, level: string): void {
  setLevels(new Map([[name, level]]))
}

/** Throws when a level is none. */
export function parsedLevels(changes: ReadonlyMap<string, string>): Map<string, Level> {
  const parsed = new Map<string, Level>()
  for (const [name, text] of changes) {
    const level = parseLevel(text)
    if (level === undefined) throw new Error(`invalid level[${text}] for logger[${name}]`)
    parsed.set(name, level)
  }
  return parsed
}

/** All of them, or none when one is wrong. */
export function setLevels(changes: ReadonlyMap<string, string>): void {
  change(new Map([...overrides, ...parsedLevels(changes)]))
}

/** Goes back to the levels the process started with. */
export function resetLevels(): void {
  change(new Map())
}

/** The level of the root at start-up. Levels set since are kept when they are shared with other threads. */
export function setStartLevel(level: string): void {
  const parsed = parseLevel(level)
  if (parsed === undefined) throw new Error(`invalid level[${level}] for logger[]`)
  startLevel = parsed
  if (shared === undefined) overrides = new Map()
  refresh()
}

function change(next: Map<string, Level>): void {
  shared?.write(next)
  overrides = next
  refresh()
}

function adopt(levels: SharedLevels): void {
  const found = levels.read()
  if (found === undefined) return
  overrides = found as Map<string, Level>
  refresh()
}

/** What a logger of this name prints from, whether there is one or not. */
export function levelOf(name: string): Level {
  return effectiveLevel(name)
}

/** Effective level by logger name, sorted by name; the root has the empty name. */
export function levels(): Map<string, Level> {
  const names = [...new Set([...cells.keys(), ...overrides.keys()])].sort()
  return new Map([
    ['', effectiveLevel('')],
    ...names.map((name): [string, Level] => [name, effectiveLevel(name)]),
  ])
}

function parseLevel(level: string): Level | undefined {
  const upper = level.toUpperCase()
  return Object.hasOwn(rankOf, upper) ? (upper as Level) : undefined
}

function effectiveLevel(name: string): Level {
  for (let prefix = name; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))) {
    const level = overrides.get(prefix) ?? fixedLevels.get(prefix)
    if (level !== undefined) return level
  }
  return overrides.get('') ?? startLevel
}

function refresh(): void {
  for (const cell of cells.values()) {
    cell.level = effectiveLevel(cell.name)
    cell.threshold = rankOf[cell.level]
  }
}
