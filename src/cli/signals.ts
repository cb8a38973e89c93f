/**
 * Signals as Logstash handles them: one asks, a second SIGINT forces, SIGHUP reads the configuration again.
 * They count from the first moment; one that comes while the node is starting stops it once it is up.
 */
import { Logger } from '../log/logger.ts'
import type { MillraceNode } from '../node.ts'

const reminderDelay = 5000

export function handleSignals(starting: Promise<MillraceNode>): void {
  const logger = new Logger('logstash.runner')
  const stop = () => void starting.then((node) => node.stop(0))
  let interrupted = false
  process.on('SIGTERM', () => {
    logger.warn('SIGTERM received. Shutting down.')
    stop()
  })
  process.on('SIGINT', () => {
    if (interrupted) {
      logger.fatal('SIGINT received. Terminating immediately..')
      process.exit(1)
    }
    interrupted = true
    logger.warn('SIGINT received. Shutting down.')
    setTimeout(() => {
      logger.warn(
        'Received shutdown signal, but pipeline is still waiting for in-flight events\n' +
          'to be processed. Sending another ^C will force quit Logstash, but this may cause\n' +
          'data loss.',
      )
    }, reminderDelay).unref()
    stop()
  })
  process.on('SIGHUP', () => {
    logger.warn('SIGHUP received.')
    void starting.then((node) => node.reload())
  })
}
