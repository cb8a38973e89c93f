/** What is logged about a connection that failed. */
import type { PluginLogger } from '../../plugin/define.ts'

/** Whether the other side went away, which is no failure of ours. */
export function isReset({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** Says nothing about errors while the input ends: they are its own doing. */
export function reportFailure(
  logger: PluginLogger,
  client: string,
  { message, name: exception }: Error,
  { wasReset, isEnding }: { readonly wasReset: boolean; readonly isEnding: boolean },
): void {
  if (wasReset) logger.debug('Connection reset by peer', { client })
  else if (!isEnding) logger.error('An error occurred, closing connection', { client, message, exception })
}
