import { describe, expect, it } from 'vitest'
import { LimitedLog } from './limited-log.ts'
import { recordingLogger } from './testing/environment.ts'

describe('a limited log', () => {
  it('writes one line of a kind in an interval and says how many were left out', () => {
    const logger = recordingLogger()
    let now = 0
    const log = new LimitedLog(logger, 1000, () => now)
    for (let n = 0; n < 5; n++) log.say('warn', 'a', () => ({ n }))
    log.say('error', 'b', () => ({}))
    now = 1000
    log.say('warn', 'a', () => ({ n: 'last' }))
    expect(logger.lines).toEqual([
      { level: 'warn', message: 'a', fields: { n: 0 } },
      { level: 'error', message: 'b', fields: {} },
      { level: 'warn', message: 'a', fields: { n: 'last', lines_left_out: 4 } },
    ])
  })
})
