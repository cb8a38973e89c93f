/**
 * Delivery between pipelines for tests: every address has at most one listener, senders reach it directly.
 */
import type { PipelineBus } from '../define.ts'

export function memoryBus(): PipelineBus {
  const listeners = new Map<string, (frames: Uint8Array, count: number) => Promise<void>>()
  return {
    listen(address, receive) {
      if (listeners.has(address)) {
        const message = `Internal input at '${address}' already bound! Addresses must be globally unique across pipelines.`
        return Promise.reject(new Error(message))
      }
      listeners.set(address, receive)
      return Promise.resolve({
        drained: () => Promise.resolve(),
        close: () => {
          listeners.delete(address)
          return Promise.resolve()
        },
      })
    },
    sender(address) {
      return {
        async send(frames, count) {
          const receive = listeners.get(address)
          if (receive === undefined) return false
          await receive(frames, count)
          return true
        },
        close: () => Promise.resolve(),
      }
    },
  }
}
