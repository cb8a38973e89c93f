// CPU seconds of `-t` on a generated configuration of 1,000 lines; the floor is `node -e 0`. The same text without
// its last brace must be refused, so that a check which looks at nothing has no speed.
import { pipelineConfig } from '../generate/pipeline-config.mjs'
import { bareStart } from '../limits/bare-start.mjs'
import { measure } from '../measure.mjs'
import { pointCase, succeeded } from '../point.mjs'

const LINES = 1000
const SEED = 42
const flags = ['-t']

const cpuSeconds = (usage) => ({ 'CPU s': succeeded(usage).cpuUs / 1e6 })

export default pointCase({
  id: 'config-check',
  title: `-t on a configuration of ${LINES} lines`,
  quantities: ['CPU s'],
  limit: async (options) => cpuSeconds(await measure(bareStart, options)),
  async product(start) {
    const text = pipelineConfig(LINES, SEED)
    const values = cpuSeconds(await start(text, { flags }))
    const broken = await start(text.slice(0, text.lastIndexOf('}')), { flags })
    if (broken.timedOut || broken.exitCode === 0) throw new Error('a broken configuration was not refused')
    return values
  },
})
