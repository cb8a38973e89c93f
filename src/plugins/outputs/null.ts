/** The null output: takes events and forgets them. */
import { defineOutput } from '../../plugin/define.ts'

export default defineOutput({
  name: 'null',
  summary: 'Discards every event.',
  options: {},
  concurrency: 'shared',
  create: () => ({ receive() {} }),
})
