// The floor of the generator input: event objects with the five fields of a generated event, in batches of 125 that
// are handed on and forgotten. The batch array is what keeps V8 from removing the objects altogether.
import { hostname } from 'node:os'

const BATCH = 125

export function generate(count, takeBatch) {
  const host = hostname()
  for (let sequence = 0; sequence < count; ) {
    const timestamp = Date.now()
    const size = Math.min(BATCH, count - sequence)
    const batch = new Array(size)
    for (let index = 0; index < size; index++) {
      batch[index] = {
        '@timestamp': timestamp,
        '@version': '1',
        message: 'Hello world!',
        host,
        sequence: sequence++,
      }
    }
    takeBatch(batch)
  }
}
