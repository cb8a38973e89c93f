/**
 * The pipeline input: takes events that `pipeline` outputs of other pipelines send to its address. It listens
 * from `register` on, so that an address used twice is an error at start; events wait until `run` has the sink.
 */
import { type BusListener, defineInput, option, type Sink } from '../../plugin/define.ts'
import { orAborted, Stop } from './stop.ts'

export default defineInput({
  name: 'pipeline',
  summary: 'Receives events from other pipelines of the same process.',
  options: {
    address: option.string({
      required: true,
      doc: 'Name under which `pipeline` outputs reach this input; unique in the process.',
    }),
  },
  create({ options: { address }, pipelineBus, abort, logger }) {
    const stop = new Stop()
    let listener: BusListener | undefined
    let give: (sink: Sink) => void = () => {}
    const given = new Promise<Sink>((resolve) => {
      give = resolve
    })
    let sink: Sink | undefined

    const receive = async (bytes: Uint8Array, count: number): Promise<void> => {
      await (sink ?? (await given)).wire(bytes, count)
    }
    const close = async () => {
      const closing = listener
      listener = undefined
      await closing?.close()
    }

    return {
      async register() {
        listener = await pipelineBus.listen(address, receive)
      },
      async run(target) {
        sink = target
        give(target)
        listener ??= await pipelineBus.listen(address, receive)
        await stop.requested
      },
      /** Senders first: what they still have gets through before the address goes away. */
      async stop() {
        if (listener !== undefined) await orAborted(listener.drained(), abort)
        if (abort.aborted) logger.debug('Stopped while senders were connected', { address })
        await close()
        stop.request()
      },
      close,
    }
  },
})
