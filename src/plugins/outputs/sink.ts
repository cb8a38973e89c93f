/** The sink output: what Logstash calls its own way of discarding events. */
import { defineOutput } from '../../plugin/define.ts'

export default defineOutput({
  name: 'sink',
  summary: 'Discards every event, like `null`.',
  options: {},
  concurrency: 'shared',
  create: () => ({ receive() {} }),
})
