/**
 * The rabbitmq plugins with a real RabbitMQ: 10,000 events from the output through a durable queue to the input, while the
 * server is killed and started again in the middle. None may be missing; what came twice is printed.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort, IN, jsonLines, Millrace, OUT } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

let server: ServerProcess
let port: number
let env: Record<string, string>
const running: Millrace[] = []

beforeAll(async () => {
  port = await freePort()
  const folder = serverFolder('rabbitmq')
  env = {
    HOME: folder,
    // The server replaces its script, so that a signal reaches it.
    RUNNING_UNDER_SYSTEMD: 'true',
    RABBITMQ_NODENAME: `millrace${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(await freePort()),
    ERL_EPMD_PORT: String(await freePort()),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_MNESIA_BASE: `${folder}/mnesia`,
    RABBITMQ_LOGS: '-',
    RABBITMQ_ENABLED_PLUGINS_FILE: `${folder}/plugins`,
    RABBITMQ_CONF_ENV_FILE: `${folder}/env`,
    RABBITMQ_CONFIG_FILE: `${folder}/rabbitmq`,
  }
  server = await startServer(folder)
}, 240_000)
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})
afterAll(async () => {
  await server?.dispose()
  const names = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  runCommand('env', [...names, 'sh', '-c', 'epmd -kill || true'])
})

function startServer(folder: string): Promise<ServerProcess> {
  return ServerProcess.start({
    command: commandPath('rabbitmq-server', ['/usr/lib/rabbitmq/bin']).replace(
      '/usr/sbin/',
      '/usr/lib/rabbitmq/bin/',
    ),
    args: [],
    env,
    folder,
    port,
    readyMilliseconds: 180_000,
  })
}

async function start(config: string): Promise<Millrace> {
  const millrace = await Millrace.start({ config })
  running.push(millrace)
  await millrace.untilStarted(60_000)
  return millrace
}

const connection = () => `host => "127.0.0.1" port => ${port}`
const reading = (queue: string, more = '') =>
  `input { rabbitmq { ${connection()} queue => "${queue}" durable => true exchange => "ev-${queue}" exchange_type => "direct" ${more} } }`
const writing = (queue: string, more = '') =>
  `output { rabbitmq { ${connection()} exchange => "ev-${queue}" exchange_type => "direct" ${more} } }`

describe('rabbitmq output and input', () => {
  it('carry events, properties and headers', async () => {
    const reader = await start(
      `${reading('facts', 'metadata_enabled => basic')} output { stdout { codec => rubydebug { metadata => true } } stdout { codec => json_lines } }`,
    )
    await reader.until('Connected to RabbitMQ', 60_000)
    const properties = 'message_properties => { "app_id" => "mine" "headers" => { "kind" => "%{kind}" } }'
    const writer = await start(`${IN} ${writing('facts', properties)}`)
    writer.write(jsonLines({ n: 1, kind: 'a', text: 'é' }))
    await reader.until(() => reader.events().length === 1, 60_000)
    expect(reader.events()[0]).toMatchObject({ n: 1, text: 'é' })
    expect(reader.stdout).toMatch(/"app-id" => "mine"/)
    expect(reader.stdout).toMatch(/"kind" => "a"/)
  })

  it('lose none of 10,000 events while the server is killed', async () => {
    const count = 10_000
    const reader = await start(`${reading('killed')} ${OUT}`)
    await reader.until('Connected to RabbitMQ', 60_000)
    const writer = await start(
      `input { generator { count => ${count} } } filter { sleep { time => "0.05" every => 100 } } ${writing('killed')}`,
    )
    await reader.until(() => reader.eventLines().length > count / 4, 120_000)
    await server.end('SIGKILL')
    const before = reader.eventLines().length
    server = await startServer(server.folder)
    const seen = () => new Set(reader.events().map((event) => event['sequence']))
    await reader.until(() => reader.eventLines().length >= count && seen().size === count, 240_000)
    await writer.exit(60_000)
    const arrived = reader.eventLines().length
    process.stdout.write(
      `rabbitmq: ${count} events, server killed after ${before}: ${count - seen().size} lost, ${arrived - count} twice\n`,
    )
    // What was under way: unconfirmed batches of the output, unacknowledged messages of the input.
    expect(arrived - count).toBeLessThanOrEqual(2 * 256 + 2 * 125)
  }, 600_000)

  it('give back what is under way when the reader is ended', async () => {
    const count = 2000
    const first = await start(`${reading('ended')} filter { sleep { time => "0.05" every => 10 } } ${OUT}`)
    await first.until('Connected to RabbitMQ', 60_000)
    const writer = await start(`input { generator { count => ${count} } } ${writing('ended')}`)
    await first.until(() => first.eventLines().length > 100, 120_000)
    first.signal('SIGTERM')
    expect(await first.exit(60_000)).toMatchObject({ code: 0 })
    const second = await start(`${reading('ended')} ${OUT}`)
    const all = () => [...first.events(), ...second.events()].map((event) => event['sequence'])
    await second.until(() => new Set(all()).size === count, 120_000)
    await writer.exit(60_000)
    process.stdout.write(`rabbitmq: reader ended: 0 lost, ${all().length - count} twice\n`)
    expect(all().length - count).toBeLessThanOrEqual(256)
  }, 600_000)
})
