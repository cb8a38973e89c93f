/**
 * Where log lines go: standard output always, and with `path.logs` the files that Logstash writes.
 * One sink per thread and no lock between threads: a line is one write to standard output or to a file
 * opened for appending. Nothing is opened before a directory is configured.
 */
import { isMainThread, threadId } from 'node:worker_threads'
import { ConsoleWriter } from './console-writer.ts'
import { jsonLine, type LogRecord, plainLine } from './layout.ts'
import { setStartLevel } from './levels.ts'
import { RollingFile } from './rolling-file.ts'

export interface LoggingOptions {
  /** Level of the root logger; resets levels set before. */
  readonly level?: string
  readonly format?: 'plain' | 'json'
  /** `path.logs`, or null for standard output only. */
  readonly directory?: string | null
  /** `pipeline.separate_logs`: lines of a pipeline go to `pipeline_<id>.log` instead of the main file. */
  readonly separateLogs?: boolean
  /** `log.format.json.fix_duplicate_message_fields` */
  readonly fixDuplicateMessage?: boolean
  /** Name of this thread in JSON lines. */
  readonly thread?: string
  /** Takes the lines instead of standard output; null writes to standard output again. */
  readonly writeConsole?: ((line: string, record: LogRecord) => void) | null
}

const maxPipelineFiles = 200

const standardOutput = new ConsoleWriter(1)
let format: 'plain' | 'json' = 'plain'
let fixDuplicateMessage = true
let directory: string | null = null
let separateLogs = false
let thread = isMainThread ? 'main' : `worker-${threadId}`
let writeConsole: ((line: string, record: LogRecord) => void) | null = null
let files = new Map<string, RollingFile>()

/** Changes the given options and keeps the others. */
export function configureLogging(options: LoggingOptions): void {
  if (options.level !== undefined) setStartLevel(options.level)
  if (options.separateLogs !== undefined) separateLogs = options.separateLogs
  if (options.fixDuplicateMessage !== undefined) fixDuplicateMessage = options.fixDuplicateMessage
  if (options.thread !== undefined) thread = options.thread
  if (options.writeConsole !== undefined) writeConsole = options.writeConsole
  const nextFormat = options.format ?? format
  const nextDirectory = options.directory === undefined ? directory : options.directory
  if (nextFormat !== format || nextDirectory !== directory) closeFiles()
  format = nextFormat
  directory = nextDirectory
}

export function writeRecord(record: LogRecord): void {
  const line = format === 'json' ? jsonLine(record, thread, fixDuplicateMessage) : plainLine(record)
  // Who came in is for a file that not everybody reads; without a directory there is only standard output.
  if (directory !== null && isAudit(record.logger)) {
    fileOf(directory, `logstash-audit-${format}`, true, 0o600).append(line, record.millis)
    return
  }
  if (writeConsole === null) standardOutput.write(line)
  else writeConsole(line, record)
  if (directory !== null) writeFiles(directory, record, line)
}

function isAudit(logger: string): boolean {
  return logger === 'audit' || logger.startsWith('audit.')
}

export function closeFiles(): void {
  for (const file of files.values()) file.close()
  files = new Map()
}

function writeFiles(path: string, record: LogRecord, line: string): void {
  const { logger, millis } = record
  if (logger === 'slowlog' || logger.startsWith('slowlog.')) {
    fileOf(path, `logstash-slowlog-${format}`, true).append(line, millis)
    return
  }
  if (separateLogs && record.pipelineId) {
    const name = `pipeline_${record.pipelineId.replaceAll(/[/\\\0]/g, '_')}`
    fileOf(path, name, false).append(format === 'plain' ? line : plainLine(record), millis)
  } else {
    fileOf(path, `logstash-${format}`, true).append(line, millis)
  }
  if (logger === 'deprecation' || logger.startsWith('deprecation.')) {
    fileOf(path, 'logstash-deprecation', true).append(format === 'plain' ? line : plainLine(record), millis)
  }
}

function fileOf(path: string, name: string, daily: boolean, mode?: number): RollingFile {
  let file = files.get(name)
  if (file === undefined) {
    if (files.size >= maxPipelineFiles) closeFiles()
    file = new RollingFile(path, name, { daily, ...(mode !== undefined && { mode }) })
    files.set(name, file)
  }
  return file
}
