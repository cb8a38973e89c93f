/**
 * The pipeline output: hands events to the `pipeline` inputs of other pipelines in the same process. Each
 * receiver gets events of its own, because they travel as bytes. A receiver that is blocked blocks the sender.
 */
import { createHash } from 'node:crypto'
import { encodeEvents } from '../../event/wire.ts'
import { type BusSender, defineOutput, option } from '../../plugin/define.ts'
import { pause } from './pause.ts'

const retryMilliseconds = 1000

export default defineOutput({
  name: 'pipeline',
  summary: 'Sends events to other pipelines of the same process.',
  options: {
    send_to: option.list(option.string({ doc: 'An address.' }), {
      required: true,
      doc: 'Addresses of `pipeline` inputs; each gets every event.',
    }),
    ensure_delivery: option.boolean({
      default: true,
      doc: 'Whether to wait for an address nobody listens on; if not, its events are discarded.',
    }),
  },
  concurrency: 'single',
  create({ id, options: { send_to, ensure_delivery }, pipelineBus, abort, logger }) {
    // The same event may go to the same pipeline by two outputs, and is then two events.
    const branch = `/${createHash('sha256').update(id).digest('base64url').slice(0, 4)}`
    let senders: { address: string; sender: BusSender }[] = []

    const deliver = async (address: string, sender: BusSender, bytes: Uint8Array, count: number) => {
      while (!(await sender.send(bytes, count))) {
        if (!ensure_delivery) {
          logger.debug(`Attempted to send event to '${address}' but that address was unavailable.`)
          return
        }
        logger.warn(
          `Attempted to send event to '${address}' but that address was unavailable. ` +
            'Maybe the destination pipeline is down or stopping? Will Retry.',
        )
        await pause(retryMilliseconds, abort)
      }
    }

    return {
      register() {
        senders = send_to.map((address) => ({ address, sender: pipelineBus.sender(address) }))
      },
      encode: (events) => [{ target: '', bytes: encodeEvents(events, branch), count: events.length }],
      async write(blocks) {
        for (const { bytes, count } of blocks) {
          // Delivery may give the bytes away to another thread: every receiver but the last gets a copy.
          for (const [i, { address, sender }] of senders.entries()) {
            await deliver(address, sender, i === senders.length - 1 ? bytes : bytes.slice(), count)
          }
        }
      },
      async close() {
        const closing = senders
        senders = []
        for (const { sender } of closing) await sender.close()
      },
    }
  },
})
