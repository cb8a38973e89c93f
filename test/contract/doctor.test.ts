/**
 * `millrace doctor` as a user runs it: on a folder of small configurations, each with one thing to say, and on
 * the collection of real ones where it is at hand.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grammarAccepts } from '../../src/lang/expectation.ts'
import type { PluginType } from '../../src/plugin/define.ts'
import { neverSupported } from '../../src/plugin/never-supported.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { binary, ensureBuilt } from '../support/build.ts'

interface Finding {
  severity: 'error' | 'note'
  code: string
  message: string
  line: number
  column: number
  hint?: string
}

interface Report {
  summary: {
    files: number
    runnable: number
    percent: number
    reasons: { reason: string; files: number }[]
    missing_plugins: { plugin: string; files: number; hint?: string }[]
  }
  files: { file: string; runs: boolean; needs?: string; form: string; findings: Finding[] }[]
  skipped: { file: string; reason: string }[]
}

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function doctor(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 256 * 1024 * 1024, timeout: 100_000 }
  return new Promise((resolve) => {
    execFile(process.execPath, [binary, 'doctor', ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}

let folder = ''
const at = (name: string) => join(folder, name)

/** `OUT` and `IN` make whole pipelines of the pieces. */
const whole = (filter: string) => `input { stdin { } }\nfilter {\n${filter}\n}\noutput { stdout { } }\n`

const files: Record<string, string> = {
  'good.conf': whole('mutate { lowercase => ["a"] }'),
  'part.conf': 'filter { drop { } }\n',
  'deeper/also-good.conf': whole(''),
  'syntax.conf': 'input { stdin { }\nfilter { }\n',
  'unknown-plugin.conf': whole('mutat { }'),
  'never.conf': 'input { twitter { } }\noutput { stdout { } }\n',
  'unknown-option.conf': whole('\n  mutate { lowercas => ["a"] }'),
  'ruby.conf': whole('ruby { code => "\n    event.set(\'a\', 1)\n    `ls`\n  " }'),
  'grok.conf': whole('grok { match => { "message" => "%{NOSUCHTHING:x}" } }'),
  'grok-elsewhere.conf': whole(
    'grok { patterns_dir => ["/no/such/patterns"] match => { "message" => "%{OURS:x}" } }',
  ),
  'old.conf': 'output { elasticsearch { host => "a" protocol => "http" ssl => true } }\n',
  'variables.conf':
    'input { tcp { port => "${DOCTOR_PORT}" codec => "${DOCTOR_CODEC}" host => "${DOCTOR_HOST:here}" } }\n' +
    'output { elasticsearch { hosts => ["${DOCTOR_A}:${DOCTOR_B}"] ssl_enabled => "${DOCTOR_TLS}" } }\n',
  'missing-file.conf': whole('translate { source => "a" dictionary_path => "/no/such/dictionary.yml" }'),
  'ecs.conf': whole('geoip { source => "clientip" }'),
  'will-not-start.conf': 'input { file { path => "relative/*.log" } }\noutput { stdout { } }\n',
  'template.conf': 'input { beats { port => {{ beats_port }} } }\n',
  'fragment.conf': 'mutate { add_tag => ["x"] }\n',
  'secret.conf':
    'output { elasticsearch { hosts => "http://me:verysecret@a<b" } http { password => "topsecret1" url => } }\n',
  'address.conf': 'output { elasticsearch { hosts => "http://me:verysecret@a<b" } }\n',
  'patterns/ours': 'OURS [a-z]+\n',
  'notes.txt': 'nothing of interest\n',
  'disabled.conf.off': whole('noop { }'),
}

beforeAll(async () => {
  await ensureBuilt()
  folder = await mkdtemp(join(tmpdir(), 'millrace-doctor-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), text)
  }
  await writeFile(at('binary.conf'), Buffer.from([0x69, 0, 1, 2]))
}, 130_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a folder of configurations', () => {
  let report: Report
  let outcome: Outcome
  const of = (name: string) => report.files.find(({ file }) => file === at(name))!
  const errors = (name: string) => of(name).findings.filter(({ severity }) => severity === 'error')
  const notes = (name: string) => of(name).findings.filter(({ severity }) => severity === 'note')

  beforeAll(async () => {
    outcome = await doctor(['--json', folder])
    report = JSON.parse(outcome.stdout)
  })

  it('is looked at recursively, all that reads like a configuration', () => {
    const looked = Object.keys(files).filter((name) => !['notes.txt', 'patterns/ours'].includes(name))
    expect(report.files.map(({ file }) => file).sort()).toEqual(looked.map(at).sort())
    expect(report.skipped).toEqual([{ file: at('binary.conf'), reason: 'not a text' }])
    expect(outcome.stderr).toBe('')
  })

  it('has a sum and an exit code', () => {
    const runnable = report.files.filter(({ runs }) => runs).length
    expect(report.summary).toMatchObject({ files: report.files.length, runnable })
    expect(report.summary.percent).toBeCloseTo((100 * runnable) / report.files.length, 0)
    expect(outcome.code).toBe(1)
    expect(report.summary.reasons[0]).toEqual({ reason: 'syntax error', files: 4 })
    expect(report.summary.missing_plugins).toEqual([
      { plugin: 'filter mutat', files: 1, hint: 'did you mean `mutate`?' },
      {
        plugin: 'input twitter',
        files: 1,
        hint: 'this plugin will not be supported: the streaming API it used has been closed',
      },
    ])
  })

  it.each(['good.conf', 'deeper/also-good.conf', 'disabled.conf.off'])('%s runs', (name) => {
    expect(of(name)).toEqual({
      file: at(name),
      runs: true,
      form: 'pipeline',
      sections: ['input', 'filter', 'output'],
      findings: [],
    })
  })

  it('a part of a pipeline is called one', () => {
    expect(of('part.conf')).toMatchObject({ runs: true, form: 'part', sections: ['filter'] })
  })

  it.each([
    ['syntax.conf', 'syntax', 3, /^Expected one of /],
    ['unknown-plugin.conf', 'unknown_plugin', 3, /^Couldn't find any filter plugin named 'mutat'\./],
    ['never.conf', 'unknown_plugin', 1, /^Couldn't find any input plugin named 'twitter'\./],
    ['unknown-option.conf', 'unknown_option', 4, /^Unknown setting 'lowercas' for mutate$/],
    ['ruby.conf', 'ruby', 5, /^ruby code line 3: /],
    ['grok.conf', 'grok_pattern', 3, /^pattern %\{NOSUCHTHING:x\} not defined$/],
    ['will-not-start.conf', 'will_not_start', 1, /^File paths must be absolute, relative path specified: /],
  ])('%s does not run: %s', (name, code, line, message) => {
    expect(of(name).runs).toBe(false)
    expect(errors(name)).toMatchObject([{ code, line, message: expect.stringMatching(message) }])
  })

  it('templates and fragments are told from mistakes', () => {
    expect(of('template.conf')).toMatchObject({ runs: false, form: 'template' })
    expect(of('fragment.conf')).toMatchObject({ runs: false, form: 'fragment' })
    expect(of('syntax.conf')).toMatchObject({ form: 'unreadable' })
  })

  it('what is missing here may be there: patterns, dictionaries, variables', () => {
    expect(of('grok-elsewhere.conf').runs).toBe(true)
    expect(notes('grok-elsewhere.conf')).toMatchObject([
      {
        code: 'missing_file',
        message: 'pattern %{OURS:x} not defined: expected in /no/such/patterns, which is not here',
      },
    ])
    expect(of('missing-file.conf').runs).toBe(true)
    expect(notes('missing-file.conf')).toMatchObject([
      { code: 'missing_file', line: 3, message: expect.stringContaining('/no/such/dictionary.yml') },
    ])
    expect(of('variables.conf').runs).toBe(true)
    expect(notes('variables.conf').map(({ code, message }) => `${code} ${message}`)).toEqual(
      ['PORT', 'CODEC', 'A', 'B', 'TLS'].map(
        (name) => `variable The variable \${DOCTOR_${name}} has no value here.`,
      ),
    )
  })

  it('old options are told', () => {
    expect(of('old.conf').runs).toBe(true)
    expect(notes('old.conf').map(({ message }) => message)).toEqual([
      'The option `host` is out of date. Use `hosts` instead.',
      'The option `protocol` is out of date. It is no longer used.',
      'The option `ssl` is out of date. Use `ssl_enabled` instead.',
    ])
  })

  it('a setting that is needed is told', () => {
    expect(of('ecs.conf')).toMatchObject({ runs: true, needs: 'pipeline.ecs_compatibility: disabled' })
  })

  it('secrets are not shown', () => {
    expect(errors('secret.conf')).toMatchObject([{ code: 'syntax' }])
    expect(errors('address.conf')).toMatchObject([{ code: 'invalid_option' }])
    expect(outcome.stdout).not.toMatch(/verysecret|topsecret/)
  })
})

it('prints the same as text', async () => {
  const { code, stdout } = await doctor([folder])
  expect(code).toBe(1)
  expect(stdout).toContain(`runs          ${at('good.conf')} (pipeline)\n`)
  expect(stdout).toContain(`runs          ${at('part.conf')} (part of a pipeline: filter)\n`)
  expect(stdout).toContain(`does not run  ${at('unknown-option.conf')} (pipeline)\n  error 4:`)
  expect(stdout).toContain('hint: did you mean `lowercase`?')
  expect(stdout).toContain(`left out      ${at('binary.conf')}: not a text\n`)
  expect(stdout).toMatch(/\n\d+ of \d+ files run \(\d+(\.\d)? %\)\n/)
  expect(stdout).toContain('Plugins that are missing, by number of files:\n')
})

it('ends with 0 when all is well, and knows the values of variables', async () => {
  const env = {
    DOCTOR_PORT: '5000',
    DOCTOR_CODEC: 'json',
    DOCTOR_A: 'a',
    DOCTOR_B: '9200',
    DOCTOR_TLS: 'false',
  }
  const { code, stdout } = await doctor(['--json', at('variables.conf'), at('good.conf')], env)
  expect(JSON.parse(stdout).files.flatMap(({ findings }: { findings: unknown[] }) => findings)).toEqual([])
  expect(code).toBe(0)
  const wrong = await doctor(['--json', at('variables.conf')], { ...env, DOCTOR_PORT: 'http' })
  expect(wrong.code).toBe(1)
})

it('--strict refuses what Logstash refuses', async () => {
  const { code, stdout } = await doctor(['--json', '--strict', at('old.conf')])
  expect(code).toBe(1)
  expect(JSON.parse(stdout).files[0].findings.map(({ code }: Finding) => code)).toEqual([
    'unknown_option',
    'unknown_option',
    'obsolete_option',
  ])
})

it.each([
  [[], 'no file or folder given'],
  [['--nonsense', '.'], "Unrecognised option '--nonsense'"],
  [['/no/such/folder'], 'there is no file or folder /no/such/folder'],
  [['--path.settings'], "option '--path.settings': no value provided"],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await doctor(args)
  expect(code).toBe(2)
  expect(stderr).toContain(`ERROR: ${message}`)
})

// ------------------------------------------------------------------------------------- real configurations

/** What Logstash 8.19 brings along, by type. */
const bundle: Readonly<Record<string, string>> = {
  input:
    'azure_event_hubs beats cloudwatch couchdb_changes dead_letter_queue elastic_agent elastic_serverless_forwarder ' +
    'elasticsearch exec file ganglia gelf generator graphite heartbeat http http_poller jdbc jms kafka logstash pipe ' +
    'rabbitmq redis s3 snmp snmptrap sqs stdin syslog tcp twitter udp unix',
  filter:
    'aggregate anonymize cidr clone csv date de_dot dissect dns drop elastic_integration elasticsearch fingerprint ' +
    'geoip grok http jdbc_static jdbc_streaming json kv memcached metrics mutate prune ruby sleep split syslog_pri ' +
    'throttle translate truncate urldecode useragent uuid xml',
  output:
    'cloudwatch csv elasticsearch email file graphite http kafka logstash lumberjack nagios null pipe rabbitmq redis ' +
    's3 sns sqs stdout tcp udp webhdfs',
  codec:
    'avro cef collectd dots edn edn_lines es_bulk fluent graphite json json_lines line msgpack multiline netflow ' +
    'plain rubydebug',
}
/** What will not come, with the sentence that says what to use instead. */
const refused = ['input jms', 'input twitter', 'filter elastic_integration']

it('has every plugin that Logstash brings along, or says what to use', () => {
  for (const [type, names] of Object.entries(bundle)) {
    for (const name of names.split(' ')) {
      const known = catalogue.names(type as PluginType).includes(name)
      const reason = neverSupported(type as PluginType, name)
      if (refused.includes(`${type} ${name}`)) expect(reason, `${type} ${name}`).toBeDefined()
      else expect(known, `${type} ${name}`).toBe(true)
    }
  }
})

const collection = fileURLToPath(new URL('../../../shared/conformance/configs', import.meta.url))
if (!existsSync(collection))
  process.stderr.write(
    'SKIPPED: the doctor is not tried on real configurations, as the collection is missing\n',
  )

describe.skipIf(!existsSync(collection))(
  'real configurations (skipped where the collection is missing)',
  () => {
    it('nine of ten run, and whatever Logstash can read is read', async () => {
      const { code, stdout } = await doctor(['--json', collection])
      expect(code).toBe(1)
      const { summary, files: verdicts } = JSON.parse(stdout) as Report
      process.stdout.write(
        `real configurations: ${summary.runnable} of ${summary.files} run (${summary.percent} %)\n`,
      )
      for (const { reason, files: count } of summary.reasons) process.stdout.write(`  ${count}  ${reason}\n`)
      const missing = summary.missing_plugins.map(({ plugin }) => plugin)
      const ofBundle = Object.entries(bundle).flatMap(([type, names]) =>
        names.split(' ').map((name) => `${type} ${name}`),
      )
      expect(missing.filter((plugin) => ofBundle.includes(plugin) && !refused.includes(plugin))).toEqual([])
      expect(summary.files).toBeGreaterThan(1000)
      expect(summary.percent).toBeGreaterThanOrEqual(90)
      for (const { file, findings } of verdicts) {
        if (findings.every(({ code: kind }) => kind !== 'syntax')) continue
        expect(grammarAccepts(await readFile(file, 'utf8')), file).toBe(false)
      }
    })
  },
)
