/**
 * What README.md tells a stranger to type, typed into a fresh clone: both commands of the first screen in order, then
 * every other command. Needs the ports of the demo free: 9200, 9500, 9580, 9600.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshClone, freshClone } from './fresh-clone.ts'
import { readmeCommands } from './readme.ts'
import { Command, sh, shUntil } from './shell.ts'

const startCommand = 'npm ci && npm start'
const testCommand = 'npm ci && npm test'
const accessLine = '192.0.2.17 - - [04/May/2026:08:12:01 +0000] "GET / HTTP/1.1" 200 5120 "-" "curl/8.0"'

/** While the demo runs. */
const demoCommands: Record<string, RegExp> = {
  "curl -d 'hello' localhost:9580": /^/,
  [`node -e 'net.connect(9500).end("hello\\n")'`]: /^/,
  "curl 'localhost:9200/_search?size=5&from=10&pretty'": /"_index" ?: "demo"/,
  "curl 'localhost:9600/_node/stats/events?pretty'": /"out": [1-9]/,
}

/** With `/etc/logstash` in a folder of the test. The first one runs until it is stopped. */
const ownPipelineCommands: Record<string, RegExp> = {
  'npm run build': /^/,
  'node bin/millrace.js -f /etc/logstash/conf.d': /Pipelines running/,
  'node bin/millrace.js -f /etc/logstash/conf.d -t': /Config Validation Result: OK/,
  [`node bin/millrace.js -e 'filter { mutate { uppercase => ["message"] } }'`]: /HELLO/,
  "node bin/millrace.js grok '%{COMBINEDAPACHELOG}' access.log": /192\.0\.2\.17/,
  'node bin/millrace.js doctor /etc/logstash': /conf\.d/,
}

let place: FreshClone

beforeAll(async () => {
  for (const port of [9200, 9500, 9580, 9600]) {
    if (await isTaken(port)) throw new Error(`port ${port} is in use; the demo needs it`)
  }
  place = freshClone()
})
afterAll(() => place?.remove())

it('has a test here for every command of the README', () => {
  const known = [startCommand, testCommand, ...Object.keys(demoCommands), ...Object.keys(ownPipelineCommands)]
  expect(readmeCommands().filter((command) => !known.includes(command))).toEqual([])
  expect(known.filter((command) => !readmeCommands().includes(command))).toEqual([])
})

it('runs the demo by the first command, and the other commands show its data', async () => {
  const demo = new Command(startCommand, { cwd: place.clone, limit: 300_000 })
  try {
    await demo.until('Try in another terminal', 240_000)
    for (const [command, answer] of Object.entries(demoCommands)) {
      await shUntil(command, { cwd: place.folder }, answer)
    }
    for (const text of ['http', 'tcp']) {
      const search = `curl -s 'localhost:9200/demo/_search?q=type:${text}'`
      await shUntil(search, { cwd: place.folder }, /"message":"hello"/)
    }
    demo.signal('SIGTERM')
    await demo.ended()
    expect(demo.output).toContain('Logstash shut down.')
    expect(demo.output).not.toMatch(/\[(ERROR|FATAL)\]/)
  } finally {
    demo.signal('SIGKILL')
    await demo.ended()
  }
}, 400_000)

const isSmoke = process.env['MILLRACE_SMOKE'] !== undefined
const passes = isSmoke
  ? 'passes lint, types, build and some tests in the folder in which the demo ran; the others run elsewhere'
  : 'passes the test command in the folder in which the demo ran'

it(passes, async () => {
  const smoke = 'npm ci && npm run pretest && npx vitest run test/contract/examples.test.ts src/cli'
  const { code, output } = await sh(isSmoke ? smoke : testCommand, { cwd: place.clone, limit: 3_000_000 })
  expect(code, output.slice(-4000)).toBe(0)
}, 3_100_000)

it('runs the other commands of the README', async () => {
  const logstash = join(place.folder, 'logstash')
  mkdirSync(join(logstash, 'conf.d'), { recursive: true })
  const config = `input { generator { count => 1 } heartbeat { interval => 1 } } output { stdout { } }`
  writeFileSync(join(logstash, 'conf.d', 'main.conf'), config)
  copyFileSync(join(place.clone, 'config', 'pipelines.yml'), join(logstash, 'pipelines.yml'))
  writeFileSync(join(place.clone, 'access.log'), `${accessLine}\n`)
  for (const [command, answer] of Object.entries(ownPipelineCommands)) {
    const line = command.replaceAll('/etc/logstash', `'${logstash}'`)
    // `exec`: the shell would be ended by the signal, too, and its exit code with it.
    const before = command.includes(' -e ') ? 'echo hello | ' : 'exec '
    const running = new Command(before + line, { cwd: place.clone, limit: 120_000 })
    if (command.endsWith('conf.d')) {
      await running.until(answer)
      running.signal('SIGTERM')
    }
    const { code, output } = await running.ended()
    expect(output, command).toMatch(answer)
    expect(code, `${command}\n${output.slice(-2000)}`).toBe(0)
  }
}, 200_000)

it('leaves no files of a run behind that git would add', async () => {
  const { output } = await sh('git status --porcelain', { cwd: place.clone })
  expect(output).toBe('')
})

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
