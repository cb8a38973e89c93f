/**
 * Where every thread but the control thread begins. The first message says what it is to become;
 * the code of that role is loaded while the control thread is still reading settings.
 */
import { parentPort, workerData } from 'node:worker_threads'

const { role } = workerData as { role: 'host' | 'worker' }

if (role === 'host') {
  const { runHostThread } = await import('./host-thread.ts')
  runHostThread(parentPort!)
} else {
  const { runWorkerThread } = await import('./worker-thread.ts')
  runWorkerThread(parentPort!)
}
