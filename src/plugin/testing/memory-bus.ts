/**
 * Delivery between pipelines for tests: every address has at most one listener, senders reach it directly.
 */
import type { BusReceive, PipelineBus } from '../define.ts'

interface Listener {
  readonly receive: BusReceive
  /** Rejects deliveries that are not safe yet. */
  readonly lose: Set<() => void>
}

export function memoryBus(): PipelineBus {
  const listeners = new Map<string, Listener>()
  return {
    listen(address, receive) {
      if (listeners.has(address)) {
        const message = `Internal input at '${address}' already bound! Addresses must be globally unique across pipelines.`
        return Promise.reject(new Error(message))
      }
      const listener: Listener = { receive, lose: new Set() }
      listeners.set(address, listener)
      return Promise.resolve({
        drained: () => Promise.resolve(),
        close: () => {
          if (listeners.get(address) === listener) listeners.delete(address)
          for (const lose of listener.lose) lose()
          return Promise.resolve()
        },
      })
    },
    sender(address) {
      return {
        send(frames, count) {
          const listener = listeners.get(address)
          if (listener === undefined) return Promise.resolve(false)
          return new Promise((resolve, reject) => {
            const lose = () => resolve(false)
            listener.lose.add(lose)
            const done = () => {
              listener.lose.delete(lose)
              resolve(true)
            }
            void Promise.resolve(listener.receive(frames.slice(), count, done)).catch(reject)
          })
        },
        close: () => Promise.resolve(),
      }
    },
  }
}
