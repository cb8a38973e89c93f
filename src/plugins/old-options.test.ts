/**
 * Options that today's Logstash refuses and that old configurations have: accepted with one line each, refused
 * with Logstash's sentence by `--strict`. The sentences are those of the plugins of Logstash 9.
 */
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { allOptions } from '../plugin/common-options.ts'
import type { PluginType } from '../plugin/define.ts'
import { neverSupported } from '../plugin/never-supported.ts'
import type { Option } from '../plugin/option.ts'
import { rawOptions } from '../plugin/testing.ts'
import { validateOptions } from '../plugin/validate.ts'
import { catalogue } from './catalogue.ts'

const types: readonly PluginType[] = ['input', 'filter', 'output', 'codec']
const all = await Promise.all(
  types.flatMap((type) => catalogue.names(type).map(async (name) => (await catalogue.load(type, name))!)),
)
const find = (type: PluginType, name: string) =>
  all.find((definition) => definition.type === type && definition.name === name)!

/** Null: Logstash does not know the name. */
const table: [PluginType, string, option: string, value: unknown, sentence: string | null][] = [
  ['output', 'elasticsearch', 'host', 'a', null],
  ['output', 'elasticsearch', 'port', '9200', null],
  ['output', 'elasticsearch', 'protocol', 'http', null],
  ['output', 'elasticsearch', 'cluster', 'a', null],
  ['output', 'elasticsearch', 'embedded', true, null],
  ['output', 'elasticsearch', 'node_name', 'a', null],
  ['output', 'elasticsearch', 'flush_size', 500, null],
  ['output', 'elasticsearch', 'idle_flush_time', 1, null],
  ['output', 'elasticsearch', 'index_type', 'a', null],
  ['output', 'elasticsearch', 'ssl', true, "Set 'ssl_enabled' instead."],
  ['output', 'elasticsearch', 'cacert', tmpdir(), "Set 'ssl_certificate_authorities' instead."],
  ['output', 'elasticsearch', 'ssl_certificate_verification', false, "Set 'ssl_verification_mode' instead."],
  ['output', 'elasticsearch', 'keystore', tmpdir(), "Set 'ssl_keystore_path' instead."],
  ['output', 'elasticsearch', 'keystore_password', 'x', "Set 'ssl_keystore_password' instead."],
  ['output', 'elasticsearch', 'truststore', tmpdir(), "Set 'ssl_truststore_path' instead."],
  ['output', 'elasticsearch', 'truststore_password', 'x', "Use 'ssl_truststore_password' instead."],
  ['output', 'http', 'cacert', tmpdir(), 'Use `ssl_certificate_authorities` instead'],
  ['output', 'http', 'client_cert', tmpdir(), 'Use `ssl_certificate` instead'],
  ['output', 'http', 'client_key', tmpdir(), 'Use `ssl_key` instead'],
  ['output', 'http', 'keystore', tmpdir(), 'Use `ssl_keystore_path` instead'],
  ['output', 'http', 'truststore_password', 'x', 'Use `ssl_truststore_password` instead'],
  ['output', 'tcp', 'ssl_enable', true, "Use 'ssl_enabled' instead."],
  ['output', 'tcp', 'ssl_cert', tmpdir(), "Use 'ssl_certificate' instead."],
  ['output', 'tcp', 'ssl_cacert', tmpdir(), "Use 'ssl_certificate_authorities' instead."],
  [
    'output',
    'file',
    'message_format',
    '%{message}',
    "You can achieve the same behavior with the 'line' codec",
  ],
  ['input', 'tcp', 'ssl_enable', true, "Use 'ssl_enabled' instead."],
  ['input', 'tcp', 'ssl_cert', tmpdir(), "Use 'ssl_certificate' instead."],
  [
    'input',
    'tcp',
    'ssl_verify',
    true,
    "Use 'ssl_client_authentication' when mode is 'server' or 'ssl_verification_mode' when mode is 'client'",
  ],
  ['input', 'tcp', 'data_timeout', 5, null],
  ['input', 'tcp', 'format', 'json', null],
  ['input', 'beats', 'ssl', true, "Use 'ssl_enabled' instead."],
  ['input', 'beats', 'ssl_verify_mode', 'peer', "Use 'ssl_client_authentication' instead."],
  ['input', 'beats', 'cipher_suites', ['x'], "Use 'ssl_cipher_suites' instead."],
  ['input', 'beats', 'tls_min_version', 1.2, "Use 'ssl_supported_protocols' instead."],
  ['input', 'http', 'ssl', true, "Use 'ssl_enabled' instead."],
  ['input', 'http', 'keystore', tmpdir(), "Use 'ssl_keystore_path' instead."],
  ['input', 'elasticsearch', 'ssl', true, "Set 'ssl_enabled' instead."],
  ['input', 'elasticsearch', 'ca_file', tmpdir(), "Set 'ssl_certificate_authorities' instead."],
  ['input', 'kafka', 'zk_connect', 'a:2181', null],
  ['input', 'kafka', 'topic_id', 'a', null],
  ['filter', 'grok', 'pattern', '%{WORD:a}', null],
  ['filter', 'grok', 'singles', true, null],
  ['filter', 'kv', 'trim', 'x', null],
  ['filter', 'kv', 'trimkey', 'x', null],
  ['filter', 'geoip', 'field', 'a', null],
  ['filter', 'date', 'timestamp', ['ISO8601'], null],
  ['output', 'stdout', 'debug', true, null],
  ['input', 'file', 'format', 'json', null],
  ['input', 'lumberjack', 'format', 'json', null],
  [
    'filter',
    'date',
    'type',
    'a',
    'You can achieve this same behavior with the new conditionals, like: `if [type] == "sometype" { date { ... } }`.',
  ],
]

/** The plugin with the option alone; what else is required is of no interest here. */
function judge(type: PluginType, name: string, option: string, value: unknown, strict: boolean) {
  const result = validateOptions(find(type, name), rawOptions({ [option]: value }), {
    ecs: 'disabled',
    strict,
  })
  return { ...result, problems: result.problems.filter(({ code }) => code !== 'missing_option') }
}

describe.each(table)('%s %s: %s', (type, name, option, value, sentence) => {
  it('is accepted with one line', () => {
    const { problems, warnings } = judge(type, name, option, value, false)
    expect(problems).toEqual([])
    expect(warnings.map((warning) => warning.option)).toEqual([option])
  })

  it('is refused by --strict as by Logstash', () => {
    const { problems } = judge(type, name, option, value, true)
    const expected =
      sentence === null
        ? `Unknown setting '${option}' for ${name}`
        : `The setting \`${option}\` in plugin \`${name}\` is obsolete and is no longer available. ${sentence} ` +
          'If you have any questions about this, you are invited to visit https://discuss.elastic.co/c/logstash and ask.'
    expect(problems.map(({ message }) => message)).toEqual([expected])
  })
})

function isAccepted([, { accepted, removed }]: [string, Option<unknown>]): boolean {
  return (accepted ?? removed) !== undefined
}

it('every option that is declared as old is refused by --strict, and only by it', () => {
  for (const definition of all) {
    for (const [option, declared] of Object.entries(allOptions(definition)).filter(isAccepted)) {
      const codes = (strict: boolean) =>
        validateOptions(definition, rawOptions({ [option]: 'x' }), {
          ecs: 'disabled',
          strict,
        }).problems.flatMap((problem) => (problem.option === option ? [problem.code] : []))
      const where = `${definition.type} ${definition.name} ${option}`
      expect(codes(true), where).toContain(
        declared.removed === undefined ? 'obsolete_option' : 'unknown_option',
      )
      expect(codes(false), where).not.toContain('obsolete_option')
      expect(codes(false), where).not.toContain('unknown_option')
    }
  }
})

it('no plugin that exists is said never to come', () => {
  for (const { type, name } of all) expect(neverSupported(type, name), `${type} ${name}`).toBeUndefined()
})
