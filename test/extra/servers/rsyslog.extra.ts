/**
 * A real rsyslog forwards to the syslog and tcp inputs: the formats of RFC 3164 and RFC 5424, over UDP and TCP, with
 * lines and with counted octets. Messages are made by `logger`, as programs make them.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, Millrace, OUT } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

const running: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const process of running.splice(0).reverse()) await process.dispose()
})

async function receive(input: string): Promise<Millrace> {
  const millrace = await Millrace.start({
    config: `input { ${input} } ${OUT}`,
    args: ['--pipeline.ecs_compatibility', 'v8'],
    env: { TZ: 'UTC' },
  })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

/** Starts rsyslog with a socket as /dev/log is one; gives a function that logs through it. */
async function rsyslog(action: string): Promise<(tag: string, priority: string, text: string) => void> {
  const folder = serverFolder('rsyslog')
  const socket = join(folder, 'log')
  writeFileSync(
    join(folder, 'rsyslog.conf'),
    `global(workDirectory="${folder}" localHostname="gateway.example")
module(load="imuxsock" SysSock.Use="off")
input(type="imuxsock" Socket="${socket}" CreatePath="on")
action(type="omfwd" target="127.0.0.1" action.resumeRetryCount="-1" action.resumeInterval="1" ${action})
`,
  )
  const server = await ServerProcess.start({
    command: commandPath('rsyslogd'),
    args: ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')],
    folder,
    env: { TZ: 'UTC' },
  })
  running.push(server)
  await server.untilFile(socket)
  return (tag, priority, text) => {
    runCommand('logger', ['-u', socket, '-t', tag, '-p', priority, '--', text])
  }
}

const traditional = 'template="RSYSLOG_TraditionalForwardFormat"'
const precise = 'template="RSYSLOG_ForwardFormat"'
const modern = 'template="RSYSLOG_SyslogProtocol23Format"'

describe('syslog input', () => {
  it.each([
    ['UDP', traditional, 'protocol="udp"'],
    ['TCP, in lines', traditional, 'protocol="tcp"'],
    ['TCP, with counted octets', traditional, 'protocol="tcp" TCP_Framing="octet-counted"'],
    ['TCP, times of RFC 3339', precise, 'protocol="tcp"'],
  ])('takes the old format over %s', async (_, template, protocol) => {
    const port = await freePort()
    const millrace = await receive(`syslog { host => "127.0.0.1" port => ${port} }`)
    const log = await rsyslog(`port="${port}" ${protocol} ${template}`)
    const before = Date.now()
    log('app[42]', 'local3.warning', 'disk 91% naïve €')
    log('sudo', 'auth.crit', 'second: with colon')
    await millrace.until(() => millrace.events().length === 2)
    const [first, second] = millrace.events()
    expect(first).toMatchObject({
      // Lines keep their ends, as in Logstash.
      message: expect.stringMatching(/^disk 91% naïve €\n?$/),
      host: { ip: '127.0.0.1', hostname: expect.stringMatching(/^gateway/) },
      process: { name: 'app', pid: 42 },
      log: {
        syslog: {
          priority: 156,
          facility: { code: 19, name: 'local3' },
          severity: { code: 4, name: 'Warning' },
        },
      },
    })
    expect(Math.abs(Date.parse(String(first!['@timestamp'])) - before)).toBeLessThan(60_000)
    expect(first).not.toHaveProperty('tags')
    expect(second).toMatchObject({
      message: expect.stringMatching(/^second: with colon\n?$/),
      log: { syslog: { priority: 34 } },
    })
  })

  it('takes the new format with a pattern for it, and tags it without', async () => {
    const ports = [await freePort(), await freePort()]
    const pattern = 'grok_pattern => "%{SYSLOG5424LINE}"'
    const fitting = await receive(`syslog { host => "127.0.0.1" port => ${ports[0]} ${pattern} }`)
    const usual = await receive(`syslog { host => "127.0.0.1" port => ${ports[1]} }`)
    for (const [i, millrace] of [fitting, usual].entries()) {
      const log = await rsyslog(`port="${ports[i]}" protocol="tcp" ${modern} TCP_Framing="octet-counted"`)
      log('app', 'daemon.err', 'it is modern')
      await millrace.until(() => millrace.events().length === 1)
    }
    expect(fitting.events()[0]).toMatchObject({
      process: { name: 'app' },
      log: { syslog: { priority: 27, facility: { name: 'system' }, severity: { name: 'Error' } } },
    })
    expect(fitting.events()[0]).not.toHaveProperty('tags')
    expect(usual.events()[0]).toMatchObject({
      message: expect.stringMatching(/^<27>1 \S+ gateway\S* app - - - +it is modern\n?$/),
      tags: ['_grokparsefailure_sysloginput'],
      log: { syslog: { priority: 0 } },
    })
  })

  it('takes many messages over one connection, none is lost or joined', async () => {
    const port = await freePort()
    const millrace = await receive(`syslog { host => "127.0.0.1" port => ${port} }`)
    const log = await rsyslog(`port="${port}" protocol="tcp" ${traditional} TCP_Framing="octet-counted"`)
    const lines = Array.from({ length: 50 }, (_, n) => `number ${n} ${'x'.repeat(n * 20)}`)
    for (const line of lines) log('many', 'user.info', line)
    await millrace.until(() => millrace.events().length >= 50)
    expect(millrace.events().map((event) => event['message'])).toEqual(lines)
  })
})

describe('tcp and udp inputs', () => {
  it.each(['tcp', 'udp'])('the %s input takes forwarded lines as they are', async (protocol) => {
    const port = await freePort()
    const millrace = await receive(`${protocol} { host => "127.0.0.1" port => ${port} }`)
    const log = await rsyslog(`port="${port}" protocol="${protocol}" ${modern}`)
    log('app', 'mail.notice', 'as it is')
    await millrace.until(() => millrace.events().length === 1)
    expect(millrace.events()[0]).toMatchObject({
      message: expect.stringMatching(/^<21>1 \S+ gateway\S* app - - - +as it is\n?$/),
    })
  })

  it('what was sent while nobody listened comes later', async () => {
    const port = await freePort()
    const log = await rsyslog(`port="${port}" protocol="tcp" ${modern} queue.type="linkedList"`)
    log('app', 'mail.notice', 'early')
    const millrace = await receive(`tcp { host => "127.0.0.1" port => ${port} }`)
    await millrace.until(() => millrace.events().length > 0, 60_000)
    expect(millrace.events()[0]).toMatchObject({ message: expect.stringContaining('early') })
  })
})
