import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folderOf, KeptOutput } from '../testing.ts'
import { testCommand } from './test.ts'

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function run(files: Record<string, string>, ...flags: string[]) {
  const folder = await folderOf(files)
  folders.push(folder)
  const output = new KeptOutput()
  const ecs = ['--pipeline.ecs_compatibility', 'disabled']
  const code = await testCommand(
    [folder, ...ecs, ...flags.map((flag) => flag.replace('DIR', folder))],
    output,
  )
  return { code, ...output, printed: output.printed.replaceAll(`${folder}/`, ''), folder }
}

const syslog = `filter {
  if [type] == "syslog" {
    grok { match => { "message" => "%{SYSLOGTIMESTAMP:ts} %{SYSLOGHOST:host} %{PROG:program}(?:\\[%{POSINT:pid:int}\\])?: %{GREEDYDATA:message}" } overwrite => ["message", "host"] }
    date { match => ["ts", "yyyy MMM dd HH:mm:ss", "MMM dd HH:mm:ss", "MMM  d HH:mm:ss"] remove_field => ["ts"] }
  }
}`

/** The forms of Logstash Filter Verifier, with its documented members. */
describe('test cases of Logstash Filter Verifier', () => {
  it('run as version 1 wrote them', async () => {
    const cases = {
      fields: { type: 'syslog', '[log][file][path]': '/var/log/a' },
      ignore: ['@timestamp', '[log][file]'],
      testcases: [
        {
          description: 'with a pid',
          input: ['Oct 26 20:55:29 myhost myprogram[31993]: This is a test message'],
          expected: [
            {
              host: 'myhost',
              message: 'This is a test message',
              pid: 31993,
              program: 'myprogram',
              type: 'syslog',
              log: {},
            },
          ],
        },
      ],
    }
    const { code, printed } = await run(
      { 'a.conf': syslog, 'cases/syslog.json': JSON.stringify(cases) },
      '-f',
      'DIR/a.conf',
    )
    expect(printed).toMatch(/^ok cases\/syslog\.json · with a pid$/m)
    expect(code).toBe(0)
  })

  it('run in the older form, with a codec, in UTC', async () => {
    const cases = `codec: json_lines
ignore: [host]
input:
  - >
    { "message": "m", "time": "2015-10-06 20:55:29", "[a][b]": 1 }
expected:
  - "@timestamp": "2015-10-06T20:55:29.000Z"
    message: m
    a: { b: 1 }
`
    const config = 'filter { date { match => ["time", "yyyy-MM-dd HH:mm:ss"] remove_field => ["time"] } }'
    const { code, printed } = await run({ 'a.conf': config, 'cases.yml': cases })
    expect(printed).toContain('1 of 1 cases hold')
    expect(code).toBe(0)
  })

  it('run as version 2 writes them: input, metadata, outputs, fields of a case', async () => {
    const config = `input { beats { id => "in" port => 5044 type => "beats" codec => json } }
filter { mutate { add_field => { "[@metadata][kind]" => "%{level}" } } }
output { if [level] == "bad" { stdout { id => "loud" } } else { null { id => "quiet" } } }`
    const cases = `input_plugin: in
export_metadata: true
export_outputs: true
ignore: ["@timestamp"]
fields: { level: good, keep: 1 }
testcases:
  - input: ['{"message":"x"}']
    expected: [{ message: x, level: good, keep: 1, type: beats, "@metadata": { kind: good }, _lfv_out_passed: quiet }]
  - input: ['{"message":"y"}']
    fields: { level: bad }
    expected: [{ message: y, level: bad, keep: 1, type: beats, "@metadata": { kind: bad }, _lfv_out_passed: loud }]
`
    const { code, printed } = await run({ 'a.conf': config, 'cases.yaml': cases })
    expect(printed).toContain('2 of 2 cases hold')
    expect(code).toBe(0)
  })
})

describe('the command', () => {
  it('says what differs, as text and as JUnit', async () => {
    const cases = `ignore: ["@timestamp"]
testcases:
  - description: a & b
    input: [x]
    expected: [{ message: y, gone: 1 }]
  - input: [a, b]
    expected: [{ message: a }]
`
    const { code, printed, folder } = await run(
      { 'a.conf': 'filter { }', 'cases.yml': cases },
      '--junit',
      'DIR/junit.xml',
    )
    expect(code).toBe(1)
    expect(printed).toContain('FAILED cases.yml · a & b')
    expect(printed).toContain('- [gone] 1')
    expect(printed).toContain('- [message] "y"')
    expect(printed).toContain('+ [message] "x"')
    expect(printed).toContain('expected 1 events, got 2')
    const junit = await readFile(join(folder, 'junit.xml'), 'utf8')
    expect(junit).toContain('tests="2" failures="2" errors="0"')
    expect(junit).toContain('name="a &amp; b"')
  })

  it('compares only named fields when asked to', async () => {
    const cases =
      'partial: true\nconfig: own/pipeline.conf\ntestcases: [{ input: [x], expected: [{ a: "1" }] }]'
    const config = 'filter { mutate { add_field => { "a" => "1" "b" => "2" } } }'
    expect((await run({ 'own/pipeline.conf': config, 'cases.yml': cases })).code).toBe(0)
    const one =
      'config: own/pipeline.conf\ntestcases: [{ partial: true, input: [x], expected: [{ a: "1" }] }, { input: [x], expected: [{ a: "1" }] }]'
    const { code, printed } = await run({ 'own/pipeline.conf': config, 'cases.yml': one })
    expect([code, printed.includes('1 of 2 cases hold')]).toEqual([1, true])
  })

  it('names the place of an error in the configuration, and refuses what it does not know', async () => {
    const cases = 'testcases: [{ input: [x], expected: [] }]'
    const wrong = await run({ 'a.conf': 'filter { mutat { } }', 'cases.yml': cases })
    expect([wrong.code, wrong.printed]).toEqual([2, expect.stringContaining('a.conf:1:10')])
    expect((await run({ 'cases.yml': cases }, '--nope')).code).toBe(2)
    expect((await run({ 'x.yml': 'a: 1' })).told).toContain('no test cases')
  })
})
