import { describe, expect, it } from 'vitest'
import { parseCommandLine } from './command-line.ts'
import { definitionOf, settingNames } from './definitions.ts'
import { UsageError } from './errors.ts'
import { helpText } from './help-text.ts'

function values(...argv: string[]): Record<string, unknown> {
  return Object.fromEntries(parseCommandLine(argv).options.map(({ setting, value }) => [setting, value]))
}

function usage(...argv: string[]): string {
  try {
    parseCommandLine(argv)
  } catch (error) {
    if (error instanceof UsageError) {
      expect(error.exitCode).toBe(1)
      return error.usage('bin/logstash')
    }
    throw error
  }
  throw new Error('no error')
}

describe('options', () => {
  it('take a value behind a blank or an equals sign', () => {
    expect(values('-w', '2', '--pipeline.batch.size=250', '--path.data', '/d', '-e', 'a=b')).toEqual({
      'pipeline.workers': 2,
      'pipeline.batch.size': 250,
      'path.data': '/d',
      'config.string': 'a=b',
    })
    expect(values('--config.string=input { a => "b=c" }')).toEqual({
      'config.string': 'input { a => "b=c" }',
    })
    expect(values('-e', '')).toEqual({ 'config.string': '' })
    expect(values('--config.string=')).toEqual({ 'config.string': '' })
    expect(values('-w4')).toEqual({ 'pipeline.workers': 4 })
    expect(values('-e', '-w')).toEqual({ 'config.string': '-w' })
  })

  it('let boolean flags stand alone or before true and false', () => {
    expect(values('-t')).toEqual({ 'config.test_and_exit': true })
    expect(values('--config.reload.automatic', 'false', '-t', 'true', '-f', 'x')).toEqual({
      'config.reload.automatic': false,
      'config.test_and_exit': true,
      'path.config': 'x',
    })
    expect(values('--config.debug=false')).toEqual({ 'config.debug': false })
    expect(values('-tr')).toEqual({ 'config.test_and_exit': true, 'config.reload.automatic': true })
    expect(values('-rf', 'x')).toEqual({ 'config.reload.automatic': true, 'path.config': 'x' })
    expect(values('--strict', '--demo')).toEqual({ 'compat.strict': true, demo: true })
  })

  it('collect -p and take the last of others', () => {
    expect(values('-p', '/a', '--path.plugins', '/b', '-w', '1', '-w', '2')).toEqual({
      'path.plugins': ['/a', '/b'],
      'pipeline.workers': 2,
    })
  })

  it('set anything with -S', () => {
    expect(
      values('-S', 'queue.max_bytes=1gb', '--setting', 'queue.drain=true', '-S', 'node.name=a=b'),
    ).toEqual({
      'queue.max_bytes': 1073741824,
      'queue.drain': true,
      'node.name': 'a=b',
    })
    expect(usage('-S', 'queue.drian=true')).toContain(
      `ERROR: option '-S': Setting "queue.drian" doesn't exist. Please check if you haven't made a typo.`,
    )
    expect(usage('-S', 'novalue')).toContain('expected KEY=VALUE')
  })

  it('know every flag of Logstash', () => {
    const argv = (
      '-n n --node.name n -f f --path.config f --field-reference-escape-style none --pipeline.id p -w 1 --pipeline.workers 1 ' +
      '--pipeline.ordered auto -b 1 --pipeline.batch.size 1 -u 5 --pipeline.batch.delay 5 --pipeline.unsafe_shutdown ' +
      '--pipeline.ecs_compatibility v1 --path.data d -p p --path.plugins p -l l --path.logs l --log.level info --log.format json ' +
      '--config.debug -i irb --interactive pry -t --config.test_and_exit -r --config.reload.automatic --config.reload.interval 1s ' +
      '--api.enabled true --api.http.host h --api.http.port 1 --path.settings s'
    ).split(' ')
    expect(() => parseCommandLine(argv)).not.toThrow()
    expect(parseCommandLine(['-V']).version).toBe(true)
    expect(parseCommandLine(['--version']).version).toBe(true)
    expect(parseCommandLine(['--help']).help).toBe(true)
  })

  it('keep old names apart', () => {
    expect(parseCommandLine(['--http.port', '9800']).options).toEqual([
      { setting: 'api.http.port', alias: 'http.port', value: { first: 9800, last: 9800 } },
    ])
    const line = parseCommandLine(['--debug'])
    expect(line.options).toEqual([{ setting: 'log.level', alias: undefined, value: 'debug' }])
    expect(line.warnings[0]?.message).toBe(
      'DEPRECATION WARNING: The flag ["--debug"] has been deprecated, please use "--log.level=debug" instead.',
    )
    expect(values('--quiet')).toEqual({ 'log.level': 'error' })
    expect(values('--verbose')).toEqual({ 'log.level': 'info' })
    expect(parseCommandLine(['--modules', 'netflow', '-t']).warnings).toHaveLength(1)
  })
})

describe('mistakes', () => {
  it('name the unknown flag', () => {
    expect(usage('--foo')).toBe("ERROR: Unrecognised option '--foo'\n\nSee: 'bin/logstash --help'")
    expect(usage('--pipeline.wokers=3')).toContain(
      `Unrecognised option '--pipeline.wokers' Did you mean "--pipeline.workers"?`,
    )
    expect(usage('-Z')).toContain("Unrecognised option '-Z'")
  })

  it('name the flag with the wrong value', () => {
    expect(usage('-w', 'many')).toContain(
      `ERROR: option '-w': Setting "pipeline.workers" must be a positive integer`,
    )
    expect(usage('--log.level', 'loud')).toContain(
      `option '--log.level': Invalid value "log.level: loud" . Options are:`,
    )
    expect(usage('-w')).toContain("option '-w': no value provided")
    expect(usage('-t', 'x.conf')).toContain('ERROR: too many arguments')
    expect(usage('-t', '--', 'x')).toContain('ERROR: too many arguments')
    expect(usage('./x.conf')).toContain('ERROR: too many arguments')
  })
})

describe('commands', () => {
  it('are the first word, with everything behind it', () => {
    expect(parseCommandLine(['keystore', 'add', '--stdin', 'X'])).toMatchObject({
      command: 'keystore',
      rest: ['add', '--stdin', 'X'],
    })
    expect(parseCommandLine(['doctor'])).toMatchObject({ command: 'doctor', rest: [] })
    expect(parseCommandLine([]).command).toBeUndefined()
  })
})

describe('--help', () => {
  it('lists every flag that is not hidden', () => {
    const text = helpText([{ name: 'keystore', doc: 'Manage secrets.' }])
    for (const name of settingNames) {
      const { flag } = definitionOf[name]
      if (flag === undefined || flag.hidden === true) continue
      expect(text).toContain(flag.long ?? `--${name}`)
      if (flag.short !== undefined) expect(text).toContain(`${flag.short}, `)
    }
    expect(text).toContain('keystore')
    expect(text.split('\n').every((line) => line.length <= 110)).toBe(true)
  })
})
