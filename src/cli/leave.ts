/**
 * The end of the process, within a bound. `process.exit` joins every thread, and one that waits for the operating system
 * holds it up for as long; then only a signal ends the process.
 */
import { Logger } from '../log/logger.ts'
import { endThreads } from '../threads/live-threads.ts'

/** What Node.js calls the work of its thread pool that may be stuck in a system call. */
const poolWork = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'GetNameInfoReqWrap'])
/** How long threads may take to end, and work of the pool to be done. */
const defaultTimeoutMillis = 1000
const interval = 10

export async function leave(code: number, timeoutMillis = defaultTimeoutMillis): Promise<never> {
  const haveEnded = await endThreads(timeoutMillis)
  const until = performance.now() + timeoutMillis
  while (isPoolBusy() && performance.now() < until) await new Promise((done) => setTimeout(done, interval))
  if (haveEnded && !isPoolBusy()) process.exit(code)
  new Logger('logstash.runner').error(
    'The operating system does not return from what a thread asked of it, such as to open a named pipe nobody reads; the process ends by a signal',
    { exit_code: code },
  )
  process.removeAllListeners('SIGTERM')
  process.kill(process.pid, 'SIGTERM')
  // Where that signal is ignored.
  process.kill(process.pid, 'SIGKILL')
  process.exit(code)
}

function isPoolBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => poolWork.has(name))
}
