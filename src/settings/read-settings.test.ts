import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from './errors.ts'
import { createKeystore } from './keystore.ts'
import { readSettings } from './read-settings.ts'
import { Settings } from './settings.ts'

let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'millrace-settings-'))
  await mkdir(join(home, 'config'))
})

afterEach(() => rm(home, { recursive: true, force: true }))

async function read(
  yml: string | null,
  argv: string[] = [],
  env: Record<string, string> = {},
): Promise<Settings> {
  if (yml !== null) await writeFile(join(home, 'config', 'logstash.yml'), yml)
  return readSettings({ argv, env, home })
}

async function failure(
  yml: string | null,
  argv: string[] = [],
  env: Record<string, string> = {},
): Promise<SettingsError> {
  const error = await read(yml, argv, env).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SettingsError)
  expect((error as SettingsError).exitCode).toBe(1)
  return error as SettingsError
}

describe('sources', () => {
  it('have defaults', async () => {
    const settings = await read('')
    expect(settings.get('pipeline.batch.size')).toBe(125)
    expect(settings.get('pipeline.batch.delay')).toBe(50)
    expect(settings.get('config.reload.interval')).toBe(3000)
    expect(settings.get('queue.max_bytes')).toBe(1073741824)
    expect(settings.get('pipeline.ecs_compatibility')).toBe('v8')
    expect(settings.get('api.http.port')).toEqual({ first: 9600, last: 9700 })
    expect(settings.get('api.http.host')).toBe('127.0.0.1')
    expect(settings.get('node.name')).toBe(hostname())
    expect(settings.get('path.data')).toBe(`${home}/data`)
    expect(settings.get('path.queue')).toBe(`${home}/data/queue`)
    expect(settings.get('pipeline.workers')).toBeGreaterThan(0)
    expect(settings.get('slowlog.threshold.warn')).toBe(-1)
    expect(settings.isSet('path.logs')).toBe(false)
    expect(settings.warnings).toEqual([])
  })

  it('are the command line before the file before the default', async () => {
    const settings = await read('pipeline.workers: 3\npipeline.batch.size: 10\npath.data: /d\n', ['-w', '5'])
    expect(settings.get('pipeline.workers')).toBe(5)
    expect(settings.sourceOf('pipeline.workers')).toBe('command line')
    expect(settings.get('pipeline.batch.size')).toBe(10)
    expect(settings.sourceOf('pipeline.batch.size')).toBe('file')
    expect(settings.sourceOf('pipeline.id')).toBe('default')
    expect(settings.get('path.dead_letter_queue')).toBe('/d/dead_letter_queue')
  })

  it('mix flat and nested keys and read YAML like Ruby', async () => {
    const settings = await read(
      'pipeline:\n  batch:\n    size: 7\n    delay: 5\npipeline.id: y\nqueue.drain: yes\nqueue.type: persisted # c\nnode.name: 2020-01-01\nqueue.drain: on\n',
    )
    expect(settings.get('pipeline.batch.size')).toBe(7)
    expect(settings.get('pipeline.batch.delay')).toBe(5)
    expect(settings.get('pipeline.id')).toBe('y')
    expect(settings.get('queue.drain')).toBe(true)
    expect(settings.get('queue.type')).toBe('persisted')
    expect(settings.get('node.name')).toBe('2020-01-01')
  })

  it('find path.settings by flag, environment or home', async () => {
    const other = join(home, 'other')
    await mkdir(other)
    await writeFile(join(other, 'logstash.yml'), 'node.name: other\n')
    expect((await read('node.name: home\n')).get('node.name')).toBe('home')
    expect((await read(null, [], { LS_SETTINGS_DIR: other })).get('node.name')).toBe('other')
    expect((await read(null, ['--path.settings', other])).get('node.name')).toBe('other')
    const settings = await read(null, [`--path.settings=${other}`], { LS_SETTINGS_DIR: '/nowhere' })
    expect(settings.get('path.settings')).toBe(other)
  })

  it('warn about a missing file', async () => {
    const settings = await read(null)
    expect(settings.warnings).toEqual([
      {
        kind: 'stderr',
        message:
          'WARNING: Could not find logstash.yml which is typically located in $LS_HOME/config or /etc/logstash. You can specify the path using --path.settings. Continuing using the defaults',
      },
    ])
  })

  it('replace variables, keystore first', async () => {
    const store = await createKeystore(join(home, 'config', 'millrace.keystore'), 'p')
    await store.add('NAME', 'from keystore')
    const env = { LOGSTASH_KEYSTORE_PASS: 'p', NAME: 'env', SIZE: "'9'", PROTOCOLS: '["TLSv1.2","TLSv1.3"]' }
    const yml =
      'node.name: ${NAME}\npipeline.batch.size: ${SIZE}\npipeline.id: "${ID:main2}"\napi.ssl.supported_protocols: ${PROTOCOLS}\n'
    const settings = await read(yml, [], env)
    expect(settings.get('node.name')).toBe('from keystore')
    expect(settings.get('pipeline.batch.size')).toBe(9)
    expect(settings.get('pipeline.id')).toBe('main2')
    expect(settings.get('api.ssl.supported_protocols')).toEqual(['TLSv1.2', 'TLSv1.3'])
    expect((await failure('node.name: ${MISSING}', [], env)).message).toContain(
      'Cannot evaluate `${MISSING}`.',
    )
  })
})

describe('mistakes', () => {
  it('are unknown keys', async () => {
    const error = await failure('pipeline.wokers: 3\n')
    expect(error.message).toBe(
      `Your settings are invalid. Reason: Setting "pipeline.wokers" doesn't exist. Please check if you haven't made a typo.`,
    )
    expect(error.hint).toBe('Did you mean "pipeline.workers"?')
    expect((await failure('constructor: 1\n')).message).toContain('Setting "constructor" doesn\'t exist.')
    expect((await failure('__proto__: {x: 1}\n')).message).toContain('Setting "__proto__.x" doesn\'t exist.')
  })

  it('are bad YAML', async () => {
    const path = join(home, 'config', 'logstash.yml')
    expect((await failure('a: [1\nb: 2')).message).toContain(
      `ERROR: Failed to parse YAML file "${path}". Please confirm if the YAML structure is valid (e.g. look for incorrect usage of whitespace or indentation). Aborting... parser_error=>`,
    )
    expect((await failure('just text')).message).toContain(
      'ERROR: Failed to load settings file from "path.settings".',
    )
  })

  it('are wrong values', async () => {
    expect((await failure('queue.max_bytes: lots')).message).toBe(
      `Your settings are invalid. Reason: Setting "queue.max_bytes": Could not coerce 'lots' into a bytes value. Expected a size such as 512kb, 64mb or 1gb.`,
    )
    expect((await failure('pipeline.workers:')).message).toContain('Received: nil')
  })

  it('are -e with -f and -e with -r', async () => {
    expect((await failure('', ['-e', '', '-f', 'x'])).message).toBe(
      `Settings 'path.config' (-f) and 'config.string' (-e) can't be used simultaneously.`,
    )
    expect((await failure('', ['-e', 'x', '-r'])).message).toBe(
      `Configuration reloading can't be used with 'config.string' (-e).`,
    )
    await expect(read('', ['-f', 'x', '-r'])).resolves.toBeInstanceOf(Settings)
  })

  it('are missing plugin paths and shells', async () => {
    expect((await failure('', ['-p', '/no/such/dir'])).message).toBe(
      'You specified a plugin path that does not exist: /no/such/dir',
    )
    expect((await failure('', ['-i', 'bash'])).message).toBe(
      'Invalid option for interactive Ruby shell. Use either "irb" or "pry"',
    )
  })
})

describe('old and foreign names', () => {
  it('are accepted with a deprecation', async () => {
    const settings = await read('http.port: 9700\n', ['--http.host', 'h'])
    expect(settings.get('api.http.port')).toEqual({ first: 9700, last: 9700 })
    expect(settings.get('api.http.host')).toBe('h')
    expect(settings.warnings.map(({ message }) => message)).toEqual([
      'The setting `http.port` is a deprecated alias for `api.http.port` and will be removed in a future release of Logstash. Please use `api.http.port` instead',
      'The setting `http.host` is a deprecated alias for `api.http.host` and will be removed in a future release of Logstash. Please use `api.http.host` instead',
    ])
  })

  it('are an error together with the new name', async () => {
    const text =
      'Your settings are invalid. Reason: Both `api.http.port` and its deprecated alias `http.port` have been set. Please only set `api.http.port`'
    expect((await failure('http.port: 1\napi.http.port: 2\n')).message).toBe(text)
    expect((await failure('http.port: 1\n', ['--api.http.port', '2'])).message).toBe(text)
    expect((await failure('api.http.port: 1\n', ['--http.port', '2'])).message).toBe(text)
    expect((await failure('', ['--http.port', '1', '--api.http.port', '2'])).message).toBe(text)
    expect((await read('http.port: 1\n', ['--http.port', '2'])).get('api.http.port').first).toBe(2)
  })

  it('of X-Pack and modules are ignored with one warning each', async () => {
    const settings = await read(
      'xpack.monitoring.enabled: true\nxpack:\n  management:\n    enabled: false\nmodules:\n  - name: netflow\npipeline.java_execution: true\nqueue.checkpoint.interval: 5\n',
    )
    expect(settings.warnings.map(({ kind, message }) => `${kind} ${message.split('"')[1]}`)).toEqual([
      'warning xpack.monitoring.enabled',
      'warning xpack.management.enabled',
      'warning modules',
      'deprecation pipeline.java_execution',
      'deprecation queue.checkpoint.interval',
    ])
  })

  it('are refused by compat.strict', async () => {
    expect((await failure('http.port: 1\ncompat.strict: true\n')).message).toContain(
      '`http.port` is a deprecated alias',
    )
    expect((await failure('pipeline.java_execution: true\n', ['--strict'])).message).toContain('is obsolete')
    await expect(read('xpack.monitoring.enabled: true\n', ['--strict'])).resolves.toBeInstanceOf(Settings)
  })

  it('bare integers as times are nanoseconds', async () => {
    const settings = await read('config.reload.interval: 3000000\n')
    expect(settings.get('config.reload.interval')).toBe(3)
    expect(settings.warnings[0]?.message).toBe(
      'Integer value for `config.reload.interval` does not have a time unit and will be interpreted in nanoseconds. Time units will be required in a future release of Logstash. Acceptable unit suffixes are: `d`, `h`, `m`, `s`, `ms`, `micros`, and `nanos`.',
    )
  })
})

describe('the API', () => {
  const secure =
    'api.ssl.enabled: true\napi.ssl.keystore.path: k\napi.ssl.keystore.password: x\napi.auth.type: basic\napi.auth.basic.username: u\napi.auth.basic.password: Sup3r-secret\n'

  it('listens everywhere once it is secure', async () => {
    expect((await read(secure)).get('api.http.host')).toBe('0.0.0.0')
    expect((await read(`${secure}api.http.host: 10.0.0.1\n`)).get('api.http.host')).toBe('10.0.0.1')
  })

  it('says what is missing or unused', async () => {
    expect((await failure('api.auth.type: basic\n')).message).toBe(
      'Setting `api.auth.basic.username` is required when `api.auth.type` is set to `basic`. Please provide it in your `logstash.yml`',
    )
    const settings = await read('api.auth.basic.username: u\n')
    expect(settings.warnings[0]?.message).toBe(
      'Setting `api.auth.basic.username` is ignored because `api.auth.type` is set to `none`',
    )
    await expect(
      read('api.ssl.enabled: true\napi.ssl.certificate: c\napi.ssl.key: k\n'),
    ).resolves.toBeInstanceOf(Settings)
  })

  it('does not show passwords', async () => {
    const lines = (await read(secure)).formatted()
    expect(lines.join('\n')).not.toContain('Sup3r-secret')
    expect(lines).toContain('*api.auth.basic.password: <password> (default: nil)')
    expect(lines).toContain('*api.auth.type: "basic" (default: "none")')
    expect(lines).toContain('pipeline.batch.size: 125')
    expect(lines).toContain('api.http.port: 9600..9700')
  })
})

describe('Settings', () => {
  it('travel to another thread', async () => {
    const settings = await read('pipeline.workers: 3\n', ['-e', 'x'])
    const copy = Settings.fromData(structuredClone(settings.toData()))
    expect(copy.get('pipeline.workers')).toBe(3)
    expect(copy.sourceOf('config.string')).toBe('command line')
    expect(copy.formatted()).toEqual(settings.formatted())
  })
})
