/**
 * The pipeline output: hands events to the `pipeline` inputs of other pipelines in the same process. Each receiver gets
 * events of its own, because they travel as bytes. A batch is delivered when its events are safe with every receiver;
 * further batches are on their way meanwhile.
 */
import { createHash } from 'node:crypto'
import { encodeEvents } from '../../event/wire.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { Lane } from './pipeline/lane.ts'

const retryMilliseconds = 1000

export default defineOutput({
  name: 'pipeline',
  summary: 'Sends events to other pipelines of the same process.',
  description: [
    'Events count as delivered when they are safe with the receiving pipeline: on stable storage where its queue is',
    'persisted, delivered by its outputs where it is in memory. Until then this pipeline keeps them, and sends them again',
    'when the receiver was stopped or reloaded meanwhile: they may arrive twice but are not lost. A receiver that cannot',
    'go on holds up this pipeline in the end. Where pipelines with queues in memory send to each other in a circle,',
    'events count as delivered as soon as the queue of the receiver has room for them.',
  ].join('\n'),
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
    // One event may go to one pipeline by two outputs, and is then two events.
    const branch = `/${createHash('sha256').update(id).digest('base64url').slice(0, 4)}`
    let lanes: Lane[] = []

    return {
      overlaps: true,
      register() {
        lanes = send_to.map((address) => {
          const settings = { address, ensureDelivery: ensure_delivery, retryMilliseconds, abort, logger }
          return new Lane(pipelineBus.sender(address), settings)
        })
      },
      encode: (events) => [{ target: '', bytes: encodeEvents(events, branch), count: events.length }],
      async write(blocks) {
        await Promise.all(
          blocks.flatMap(({ bytes, count }) => lanes.map((lane) => lane.deliver(bytes, count))),
        )
      },
      async close() {
        const closing = lanes
        lanes = []
        for (const lane of closing) await lane.close()
      },
    }
  },
})
