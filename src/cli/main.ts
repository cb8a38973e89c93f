/**
 * Where the program begins. Starts the thread of the first pipeline before anything else is loaded, because
 * a thread takes longer to come up than the rest of the program; then hands over to the command line.
 */
import { setEnvironmentData, Worker } from 'node:worker_threads'

const thread = new URL(
  import.meta.url.endsWith('.ts') ? '../threads/entry.ts' : './thread.js',
  import.meta.url,
)

/** Arguments of runs that start no pipeline; one that slips through only costs a thread for nothing. */
const withoutPipeline = /^(-t|-V|-h|--config\.test_and_exit|--version|--help|-[a-zA-Z]*t[a-zA-Z]*)$/

export async function main(argv: readonly string[]): Promise<void> {
  const isCommand = argv[0] !== undefined && !argv[0].startsWith('-')
  const starts = !isCommand && !argv.some((argument) => withoutPipeline.test(argument))
  // Every thread inherits it; `threads/process-memory.ts` says what it holds.
  setEnvironmentData('millrace.memory', new SharedArrayBuffer(256 * 1024) as never)
  const early = starts ? new Worker(thread, { workerData: { role: 'host' } }) : undefined
  const { runCommandLine } = await import('./run.ts')
  process.exitCode = await runCommandLine(argv, early)
}
