/** The relp input with a real rsyslog as the sender: 10,000 messages, while the receiver is ended and started again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, Millrace, OUT } from '../../support/millrace.ts'
import { commandPath, ServerProcess, serverFolder } from '../support/server-process.ts'

const running: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const process of running.splice(0).reverse()) await process.dispose()
})

async function receiver(port: number): Promise<Millrace> {
  const millrace = await Millrace.start({
    config: `input { relp { host => "127.0.0.1" port => ${port} } } ${OUT}`,
  })
  running.push(millrace)
  await millrace.untilStarted(60_000)
  return millrace
}

describe('relp input', () => {
  it('loses none of 10,000 messages of rsyslog while it is ended and started again', async () => {
    const count = 10_000
    const port = await freePort()
    const folder = serverFolder('relp')
    writeFileSync(join(folder, 'lines'), Array.from({ length: count }, (_, n) => `line ${n}\n`).join(''))
    writeFileSync(
      join(folder, 'rsyslog.conf'),
      `global(workDirectory="${folder}")
module(load="imfile")
module(load="omrelp")
input(type="imfile" File="${folder}/lines" Tag="test" readMode="0")
template(name="plain" type="string" string="%msg%")
action(type="omrelp" target="127.0.0.1" port="${port}" template="plain" action.resumeRetryCount="-1"
  action.resumeInterval="1" queue.type="LinkedList" queue.size="20000")
`,
    )
    const first = await receiver(port)
    const server = await ServerProcess.start({
      command: commandPath('rsyslogd'),
      args: ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')],
      folder,
    })
    running.push(server)
    await first.until(() => first.eventLines().length > 500, 60_000)
    first.signal('SIGTERM')
    await first.exit(60_000)
    const second = await receiver(port)
    const numbers = () =>
      [...first.events(), ...second.events()].map((event) => String(event['message']).trim())
    await second.until(() => new Set(numbers()).size >= count, 180_000)
    const arrived = numbers().length
    process.stdout.write(
      `relp: ${count} messages, receiver ended after ${first.eventLines().length}: ${count - new Set(numbers()).size} lost, ${arrived - count} twice\n`,
    )
    expect(arrived - count).toBeLessThanOrEqual(1024)
  }, 400_000)
})
