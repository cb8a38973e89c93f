/**
 * The pipeline input: takes events that `pipeline` outputs of other pipelines send to its address. It listens
 * from `register` on, so that an address used twice is an error at start; events wait until `run` has the sink.
 */
import { type BusListener, type BusReceive, defineInput, option, type Sink } from '../../plugin/define.ts'
import { graceMilliseconds } from '../receiving/arrivals.ts'
import { orAborted, Stop } from '../receiving/stop.ts'

export default defineInput({
  name: 'pipeline',
  summary: 'Receives events from other pipelines of the same process.',
  description: [
    'The sending pipeline keeps its events until they are safe here: on stable storage where the queue of this pipeline',
    'is persisted, delivered by its outputs where it is in memory.',
  ].join('\n'),
  options: {
    address: option.string({
      required: true,
      doc: 'Name under which `pipeline` outputs reach this input; unique in the process.',
    }),
  },
  create({ options: { address }, pipelineBus, abort, logger, setting }) {
    const stop = new Stop()
    let listener: BusListener | undefined
    let give: (sink: Sink) => void = () => {}
    const given = new Promise<Sink>((resolve) => {
      give = resolve
    })
    let sink: Sink | undefined

    const receive: BusReceive = async (bytes, count, done) => {
      await (sink ?? (await given)).wire(bytes, count, { done })
    }
    const listen = () =>
      pipelineBus.listen(address, receive, { isPersisted: setting('queue.type') === 'persisted' })
    const close = async (milliseconds?: number) => {
      const closing = listener
      listener = undefined
      await closing?.close(milliseconds)
    }

    return {
      async register() {
        listener = await listen()
      },
      async run(target) {
        sink = target
        give(target)
        listener ??= await listen()
        await stop.requested
      },
      /**
       * When the process ends, senders first: what they still have gets through before the address goes away. Otherwise
       * they hear of what is safe in time and keep the rest.
       */
      async stop() {
        if (listener !== undefined) await orAborted(listener.drained(), abort)
        if (abort.aborted) logger.debug('Stopped while senders were connected', { address })
        await close(abort.aborted ? 0 : graceMilliseconds)
        stop.request()
      },
      close: () => close(),
    }
  },
})
