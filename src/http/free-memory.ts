/**
 * Frees the memory of what was received and copied, now and not when V8 looks for it: buffers outside its heap that pile
 * up make it look far too often. Memory that is handed to a port which is closed is gone at once.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'

/** Less is not worth the way. */
const minBytes = 16 * 1024

let nowhere: MessagePort | undefined

function closedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port1.close()
  port2.close()
  return port1
}

/** Nobody may need the bytes any more; a view of memory that others use, too, is left alone. */
export function freeMemory(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (bytes.length < minBytes || bytes.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer))
    return
  nowhere ??= closedPort()
  try {
    nowhere.postMessage(undefined, [buffer])
  } catch {
    // Memory that cannot be handed over is found by V8, later.
  }
}
