#!/usr/bin/env node
// The launcher: everything else is in dist/, made by `npm run build`. It starts the thread of the first pipeline before
// anything else is loaded, because a thread takes longer to come up than the rest of the program; CommonJS, because
// loading modules would delay that thread.
const { existsSync } = require('node:fs')
const { totalmem } = require('node:os')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Worker, setEnvironmentData } = require('node:worker_threads')

const dist = join(__dirname, '..', 'dist')

/** Arguments of runs that start no pipeline; one that slips through only costs a thread for nothing. */
const withoutPipeline = /^(-t|-V|-h|--config\.test_and_exit|--version|--help|-[a-zA-Z]*t[a-zA-Z]*)$/

/**
 * Where memory is short, glibc is told to give back what is freed. It reads these when a program starts, so the program
 * starts itself again in the same process, once; `docs/decisions/0024-the-c-library-gives-back.md` has the figures.
 */
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_TRIM_THRESHOLD_: '32768',
}
const scarceBytes = 2 * 2 ** 30

function startAgainWhereMemoryIsShort(argv) {
  // Node.js has it since 22.15 and 23.11; with an older one the service sets the variables.
  if (process.platform !== 'linux' || typeof process.execve !== 'function') return
  if (Object.keys(allocator).some((name) => process.env[name] !== undefined)) return
  const group = process.constrainedMemory()
  if (limitOf(argv) === Infinity && !(group > 0 && group < scarceBytes)) return
  try {
    process.execve(process.execPath, [process.argv0, ...process.execArgv, __filename, ...argv], {
      ...process.env,
      ...allocator,
    })
  } catch {
    // Forbidden, by a filter of system calls perhaps: it runs without.
  }
}

async function main(argv) {
  const isCommand = argv[0] !== undefined && !argv[0].startsWith('-')
  const starts = !isCommand && !argv.some((argument) => withoutPipeline.test(argument))
  if (starts) startAgainWhereMemoryIsShort(argv)
  // Every thread inherits it; `src/threads/memory/process-memory.ts` says what it holds.
  setEnvironmentData('millrace.memory', new SharedArrayBuffer(256 * 1024))
  // The same of `src/memory/memory-account.ts`.
  setEnvironmentData('millrace.account', new SharedArrayBuffer(16 * 1024))
  const early = starts
    ? new Worker(join(dist, 'thread.js'), { workerData: { role: 'host' }, resourceLimits: heapLimits(argv) })
    : undefined
  const { runCommandLine } = await import(pathToFileURL(join(dist, 'main.js')).href)
  process.exitCode = await runCommandLine(argv, early)
}

/** As `src/threads/memory/heap-limits.ts` says; nothing is loaded before the thread starts. */
function heapLimits(argv) {
  const allowed = Math.min(process.constrainedMemory() || Infinity, totalmem(), limitOf(argv) / 0.8)
  const megabytes = Math.floor(allowed / 2 ** 20)
  const maxOldGenerationSizeMb = Math.min(4096, Math.max(96, Math.floor(megabytes / 2)))
  return megabytes < 1024
    ? { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 6 }
    : { maxOldGenerationSizeMb }
}

const units = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 }

/** `memory.limit` of the command line, in bytes; what cannot be read is refused later. */
function limitOf(argv) {
  const at = argv.findIndex((argument) => /^--memory\.limit(=|$)/.test(argument))
  if (at < 0) return Infinity
  const text = argv[at].includes('=') ? argv[at].slice(argv[at].indexOf('=') + 1) : argv[at + 1]
  const [, number, unit = 'b'] = /^(\d{1,12})\s*([kmg]?b)?$/i.exec(text ?? '') ?? []
  return number === undefined ? Infinity : Math.max(number * units[unit.toLowerCase()], 2 ** 27)
}

if (existsSync(join(dist, 'main.js'))) void main(process.argv.slice(2))
else {
  console.error('millrace is not built yet: run `npm run build` first.')
  process.exitCode = 1
}
