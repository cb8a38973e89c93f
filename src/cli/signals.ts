/**
 * Signals as Logstash handles them: one asks, a second one forces, SIGHUP reads the configuration again. They count
 * from the first moment, also while the node is starting.
 */
import { Logger } from '../log/logger.ts'
import type { MillraceNode } from '../node.ts'
import { leave } from './leave.ts'

const reminderDelay = 5000
/** One request to end may arrive twice: at the process group, and passed on by a parent such as npm. */
const sameRequest = 100
/** How long threads have to end when the end is forced. */
const forcedTimeoutMillis = 200

/** `stop` has to work while the node is still starting. */
export function handleSignals(starting: Promise<MillraceNode>, stop: () => void): void {
  const logger = new Logger('logstash.runner')
  let askedAt: number | undefined
  const ask = (name: 'SIGTERM' | 'SIGINT') => {
    if (askedAt !== undefined) {
      if (name === 'SIGTERM' && performance.now() - askedAt < sameRequest) return
      logger.fatal(`${name} received. Terminating immediately..`)
      void leave(1, forcedTimeoutMillis)
      return
    }
    askedAt = performance.now()
    logger.warn(`${name} received. Shutting down.`)
    stop()
  }
  process.on('SIGTERM', () => ask('SIGTERM'))
  process.on('SIGINT', () => {
    ask('SIGINT')
    setTimeout(() => {
      logger.warn(
        'Received shutdown signal, but pipeline is still waiting for in-flight events\n' +
          'to be processed. Sending another ^C will force quit Logstash, but this may cause\n' +
          'data loss.',
      )
    }, reminderDelay).unref()
  })
  process.on('SIGHUP', () => {
    logger.warn('SIGHUP received.')
    void starting.then((node) => node.reload())
  })
}
