/**
 * Recovers the write-ahead log at start. The checkpoint of each file tells damage from a torn tail: unreadable bytes
 * of acknowledged operations are damage; bytes behind them at the end belong to a write that a crash cut off, and go
 * to the quarantine. Nothing else is changed, and nothing is deleted.
 */
import { DamagedFile, UnknownFormat } from '../../storage/checked-file.ts'
import type { Files, ReadFile } from '../../storage/files.ts'
import { readCheckpoint } from './log-checkpoint.ts'
import { fileHeadBytes, type LogPiece, logPieces, logVersion, versionInHead } from './log-format.ts'
import { type LoggedOperation, readOperations } from './operation.ts'
import { keepTornTail } from './quarantine.ts'
import { checkpointPath, generationsIn, logPath } from './write-ahead-log.ts'

/** A range of a log file that cannot be read. */
interface LogProblem {
  readonly path: string
  readonly from: number
  readonly to: number
  /** The number of operations in it; undefined where the frame head is damaged too. */
  readonly operations: number | undefined
  readonly isDamage: boolean
}

interface LogScan {
  readonly generation: number
  /** The number of intact frames. */
  readonly frames: number
  /** The offset behind the last intact frame. */
  readonly end: number
  readonly size: number
  readonly problems: readonly LogProblem[]
}

interface LogReplay {
  /** Applies an operation; an exception ends the replay. */
  apply(operation: LoggedOperation): void
  /** Whether commits wait for fsync; then a bad frame before a good one cannot be an unfinished write. */
  readonly syncs: boolean
}

/** Scans the generations from `from` on, oldest first. */
export function scanLogs(files: Files, directory: string, from: number, replay: LogReplay): LogScan[] {
  const there = generationsIn(files, directory).filter((generation) => generation >= from)
  const last = there.at(-1) ?? from
  const scans: LogScan[] = []
  for (let generation = from; generation <= last; generation++)
    scans.push(scanLog(files, directory, generation, replay))
  return scans
}

function scanLog(files: Files, directory: string, generation: number, { apply, syncs }: LogReplay): LogScan {
  const path = logPath(directory, generation)
  const synced = readCheckpoint(files, checkpointPath(directory, generation))
  if (!files.exists(path)) {
    const problems = [{ path, from: 0, to: synced ?? 0, operations: undefined, isDamage: true }]
    return { generation, frames: 0, end: 0, size: 0, problems }
  }
  const file = files.openRead(path)
  try {
    return { generation, size: file.size, ...readLog(file, { path, generation, synced, syncs, apply }) }
  } finally {
    file.close()
  }
}

interface LogFile extends LogReplay {
  readonly path: string
  readonly generation: number
  readonly synced: number | undefined
}

type BadPiece = Omit<LogProblem, 'path' | 'isDamage'>

function readLog(file: ReadFile, log: LogFile): Omit<LogScan, 'generation' | 'size'> {
  const { path, generation, synced, syncs, apply } = log
  const bad: BadPiece[] = []
  const hasHead = isHeadRead(file, path, generation)
  if (!hasHead) bad.push({ from: 0, to: Math.min(fileHeadBytes, file.size), operations: undefined })
  let frames = 0
  let end = hasHead ? fileHeadBytes : 0
  for (const piece of logPieces(file)) {
    const operations = operationsOf(piece)
    if (operations === undefined)
      bad.push({ from: piece.from, to: piece.to, operations: piece.head?.operations })
    else {
      for (const operation of operations) apply(operation)
      frames++
      end = piece.to
    }
  }
  if (synced !== undefined && synced > file.size)
    bad.push({ from: file.size, to: synced, operations: undefined })
  const isDamage = ({ from }: BadPiece) =>
    synced !== undefined && from < synced ? true : from < end && (syncs || synced === undefined)
  return { frames, end, problems: bad.map((piece) => ({ path, ...piece, isDamage: isDamage(piece) })) }
}

function isHeadRead(file: ReadFile, path: string, generation: number): boolean {
  const head = file.read(0, Math.min(fileHeadBytes, file.size))
  const version = versionInHead(head, generation)
  if (version !== undefined && version !== logVersion)
    throw new UnknownFormat(
      path,
      version > logVersion
        ? `was written by a newer version of the program (format ${version}; this one knows ${logVersion}); it was left untouched`
        : `has format ${version}, which this version no longer reads`,
    )
  return version !== undefined
}

/** Returns undefined when the frame cannot be decoded, also where its checksum is right and its operations are not. */
function operationsOf({ payload, head }: LogPiece): readonly LoggedOperation[] | undefined {
  if (payload === undefined) return undefined
  try {
    const operations = readOperations(payload)
    return operations.length === head.operations ? operations : undefined
  } catch {
    return undefined
  }
}

export interface TornTail extends LogProblem {
  /** Where its bytes are now. */
  readonly keptAt: string
}

interface RecoveredLogs {
  /** The generation to continue, and how many frames its file has. */
  readonly generation: number
  readonly frames: number
  readonly torn: readonly TornTail[]
}

/**
 * Throws when acknowledged operations cannot be read; otherwise the logs are as if the crash had come between
 * frames.
 */
export function recoverLogs(files: Files, directory: string, from: number, replay: LogReplay): RecoveredLogs {
  const scans = scanLogs(files, directory, from, replay)
  const problems = scans.flatMap((scan) => scan.problems)
  const damage = problems.filter(({ isDamage }) => isDamage)
  if (damage.length > 0) throw logDamage(damage)
  const torn = problems
    .filter(({ from: start, to }) => to > start)
    .map((problem) => keep(files, directory, problem))
  for (const { generation, end, size } of scans) {
    if (end === size) continue
    const file = files.openAppend(logPath(directory, generation))
    file.truncate(end)
    file.close()
  }
  const { generation, frames, end, problems: ofLast } = scans.at(-1)!
  // A hole can only come from commits without fsync; nothing that is acknowledged after an fsync may be appended
  // behind it.
  const hasHole = ofLast.some(({ from: start, to }) => to > start && to <= end)
  return hasHole ? { generation: generation + 1, frames: 0, torn } : { generation, frames, torn }
}

function keep(files: Files, directory: string, problem: LogProblem): TornTail {
  const file = files.openRead(problem.path)
  try {
    const name = problem.path.slice(directory.length + 1)
    const bytes = file.read(problem.from, problem.to)
    return { ...problem, keptAt: keepTornTail(files, directory, `${name}-at-${problem.from}`, bytes) }
  } finally {
    file.close()
  }
}

/** Builds the message for operators about a damaged log. */
export function logDamage(problems: readonly LogProblem[]): DamagedFile {
  const [first] = problems
  const { path, from, to } = first!
  if (from === 0 && to === 0) return new DamagedFile(path, 'is missing')
  const known = problems.every(({ operations }) => operations !== undefined)
  const missing = problems.reduce((sum, { operations = 0 }) => sum + operations, 0)
  const what = known ? `${missing} acknowledged operations` : 'acknowledged operations'
  const more = problems.length > 1 ? ` and at ${problems.length - 1} other places` : ''
  return new DamagedFile(path, `is damaged at byte ${from}${more}: ${what} cannot be read`)
}
