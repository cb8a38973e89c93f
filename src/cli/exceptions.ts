/**
 * Exceptions of the control thread that nobody handles. It never touches events: requests of the monitoring API and
 * timers run here, and what one of them leaves half done concerns that one alone. So the node goes on and says so. It
 * does not where going on would only hide the fault: before it has started, and when they keep coming.
 */
import { Logger } from '../log/logger.ts'
import type { MillraceNode } from '../node.ts'

const maxExceptions = 20
const withinMillis = 60_000

export function surviveExceptions(starting: Promise<MillraceNode>): void {
  const logger = new Logger('logstash.runner')
  let times: number[] = []
  let node: MillraceNode | undefined
  starting.then(
    (started) => {
      node = started
    },
    () => undefined,
  )
  process.on('uncaughtException', (error, origin) => {
    const { message, name, stack } = error instanceof Error ? error : new Error(String(error))
    const backtrace = (stack ?? '')
      .split('\n')
      .slice(1, 13)
      .map((line) => line.trim())
    const details = { error: message, exception: name, origin, backtrace }
    if (node === undefined) {
      logger.fatal('An unexpected error occurred!', details)
      process.exit(1)
    }
    node.exceptions += 1
    const now = performance.now()
    times = [...times.filter((time) => now - time < withinMillis), now]
    if (times.length < maxExceptions) {
      logger.error('An exception nobody handles reached the control thread; the node goes on', details)
    } else if (times.length === maxExceptions) {
      logger.fatal('Exceptions nobody handles keep reaching the control thread; the node stops', details)
      void node.stop(1)
    }
  })
}
