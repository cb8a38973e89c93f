/** What queues of frames and queues of outputs show of the queue they stand in front of. */

interface AnyQueue {
  onReadable: () => void
  readonly records: number
  readonly bytes: number
}

export abstract class ForwardedQueue<Q extends AnyQueue> {
  protected readonly queue: Q

  constructor(queue: Q) {
    this.queue = queue
  }

  set onReadable(call: () => void) {
    this.queue.onReadable = call
  }

  get records(): number {
    return this.queue.records
  }

  get bytes(): number {
    return this.queue.bytes
  }
}
