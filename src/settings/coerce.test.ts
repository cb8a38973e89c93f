import { describe, expect, it } from 'vitest'
import { coerceSetting } from './coerce.ts'
import { definitionOf, type SettingName, settingNames } from './definitions.ts'

describe('bytes', () => {
  it.each<[unknown, number]>([
    ['64mb', 67108864],
    ['1k', 1024],
    ['1kb', 1024],
    ['1.5gb', 1610612736],
    ['2t', 2199023255552],
    ['1p', 1125899906842624],
    ['512b', 512],
    ['512', 512],
    [4096, 4096],
    ['1024MB', 1073741824],
  ])('%s is %d', (given, bytes) => {
    expect(coerceSetting('queue.max_bytes', given)).toBe(bytes)
  })

  it.each(['64x', 'mb', '-1mb', '', null, true, '1e3mb'])('%s is refused', (given) => {
    expect(() => coerceSetting('queue.max_bytes', given)).toThrow(/queue\.max_bytes.*into a bytes value/)
  })
})

describe('time', () => {
  it.each<[unknown, number]>([
    ['3s', 3000],
    ['500ms', 500],
    ['2m', 120000],
    ['1h', 3600000],
    ['1d', 86400000],
    ['10micros', 0.01],
    ['1000nanos', 0.001],
    [' 3 S ', 3000],
    [3000000000 - 2000000000, 1000],
    [5000000, 5],
    ['-1', -1],
    [-1, -1],
  ])('%s is %d ms', (given, millis) => {
    expect(coerceSetting('config.reload.interval', given)).toBeCloseTo(millis, 9)
  })

  it.each<[unknown, string]>([
    ['3', 'invalid time unit: "3"'],
    ['3x', 'invalid time unit: "3x"'],
    ['1.5s', 'invalid value for Integer(): "1.5"'],
    [1.5, 'Non-integer numeric value for `config.reload.interval` is not supported without a time unit.'],
    [3000000000, 'exceeds the maximum int (2147483647) supported value for nanoseconds.'],
    [null, 'must be a time'],
  ])('%s is refused', (given, message) => {
    expect(() => coerceSetting('config.reload.interval', given)).toThrow(message)
  })
})

describe('other kinds', () => {
  it('read ports and ranges', () => {
    expect(coerceSetting('api.http.port', 9600)).toEqual({ first: 9600, last: 9600 })
    expect(coerceSetting('api.http.port', '9600-9700')).toEqual({ first: 9600, last: 9700 })
    expect(() => coerceSetting('api.http.port', 0)).toThrow(
      'Invalid value "api.http.port: 0..0", valid options are within the range of 1-65535',
    )
    expect(() => coerceSetting('api.http.port', '9700-9600')).toThrow('valid options are within')
    expect(() => coerceSetting('api.http.port', 'http')).toThrow('Could not coerce [http] into a port range')
  })

  it('read booleans', () => {
    expect(coerceSetting('queue.drain', 'true')).toBe(true)
    expect(coerceSetting('queue.drain', false)).toBe(false)
    expect(() => coerceSetting('queue.drain', 'yes')).toThrow('Cannot coerce `yes` to boolean (queue.drain)')
  })

  it('read numbers', () => {
    expect(coerceSetting('pipeline.workers', '4')).toBe(4)
    expect(() => coerceSetting('pipeline.workers', 0)).toThrow('Number must be bigger than 0. Received: 0')
    expect(() => coerceSetting('pipeline.workers', 'many')).toThrow(
      'Setting "pipeline.workers" must be a positive integer. Received: many (String)',
    )
    expect(() => coerceSetting('pipeline.workers', 1.5)).toThrow('Received: 1.5 (Float)')
    expect(() => coerceSetting('pipeline.workers', null)).toThrow('Received: nil (NilClass)')
    expect(coerceSetting('queue.max_events', 0)).toBe(0)
  })

  it('read choices', () => {
    expect(coerceSetting('pipeline.ordered', true)).toBe('true')
    expect(coerceSetting('pipeline.condition_error', false)).toBe('false')
    expect(() => coerceSetting('log.level', 'loud')).toThrow(
      'Invalid value "log.level: loud" . Options are: [fatal, error, warn, debug, info, trace]',
    )
  })

  it('read lists', () => {
    expect(coerceSetting('path.plugins', '/a')).toEqual(['/a'])
    expect(coerceSetting('path.plugins', ['/a', '/b'])).toEqual(['/a', '/b'])
    expect(() => coerceSetting('api.ssl.supported_protocols', ['TLSv1.2', 'SSLv3'])).toThrow(
      'Failed to validate the setting "api.ssl.supported_protocols" value(s): ["SSLv3"]. Valid options are: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]',
    )
  })

  it('do not show a password', () => {
    expect(coerceSetting('api.auth.basic.password', 's3cret')).toBe('s3cret')
    expect(() => coerceSetting('api.auth.basic.password', new Map([['a', 's3cret']]))).toThrow(
      /must be a String\.$/,
    )
  })
})

describe('the table', () => {
  it.each(settingNames)('%s has a sentence and a sound default', (name: SettingName) => {
    const definition = definitionOf[name]
    expect(definition.doc).toMatch(/^[A-Z].*\.$/)
    if (definition.kind === 'enum') expect(definition.options).toContain(definition.default)
    if (typeof definition.default !== 'function')
      expect(() => coerceSetting(name, definition.default)).not.toThrow()
  })
})
