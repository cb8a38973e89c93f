import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { concealed, concealedData, forgetHiddenTexts, hideText } from './hidden-texts.ts'
import { configureLogging, Logger } from './logger.ts'

beforeEach(forgetHiddenTexts)
afterEach(() => {
  forgetHiddenTexts()
  configureLogging({ level: 'info', format: 'plain', writeConsole: null })
})

describe('hidden texts', () => {
  it('do not appear, in whatever form', () => {
    hideText('p"a$s&\\w ö')
    for (const text of ['p"a$s&\\w ö', 'p\\"a$s&\\\\w ö', 'p%22a%24s%26%5Cw%20%C3%B6']) {
      expect(concealed(`before ${text} after ${text}`)).toBe('before <password> after <password>')
    }
  })

  it('are hidden whole when one contains another', () => {
    hideText('secret')
    hideText('secret-of-mine')
    expect(concealed('secret-of-mine, secret')).toBe('<password>, <password>')
  })

  it('are not those that occur everywhere', () => {
    hideText('on')
    hideText('')
    expect(concealed('turned on')).toBe('turned on')
  })

  it('leave data alone but for its texts', () => {
    expect(concealedData({ a: 1 })).toEqual({ a: 1 })
    hideText('canary')
    const data = { a: ['x canary', 2, null, { canary: 'canary', ok: true }], b: undefined }
    expect(concealedData(data)).toEqual({
      a: ['x <password>', 2, null, { canary: '<password>', ok: true }],
      b: undefined,
    })
  })

  it('survive odd characters', () => {
    hideText('\ud800abc')
    expect(concealed('x\ud800abc')).toBe('x<password>')
  })

  it('are in no line of a log, whose head stays readable', () => {
    const lines: string[] = []
    hideText('logstash "x')
    hideText('logstash')
    for (const format of ['plain', 'json'] as const) {
      configureLogging({ level: 'info', format, writeConsole: (line) => lines.push(line) })
      new Logger('logstash.agent').info('got logstash', {
        value: 'logstash "x',
        deep: [{ a: 'my logstash' }],
      })
    }
    expect(lines[0]).toMatch(
      /\[logstash\.agent +\] got <password> \{:value=>"<password>", :deep=>\[\{"?:?a"?=>"my <password>"\}\]\}\n$/,
    )
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      loggerName: 'logstash.agent',
      logEvent: { message: 'got <password>', value: '<password>', deep: [{ a: 'my <password>' }] },
    })
  })
})
