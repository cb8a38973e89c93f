/** The imap input with a real Dovecot: mails are marked when their events are safe, and none is lost when it is killed. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, Millrace, OUT } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

const running: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const process of running.splice(0).reverse()) await process.dispose()
})

function mail(n: number): string {
  return `From: me@example.com\r\nSubject: mail ${n}\r\nDate: Thu, 01 Oct 2015 05:06:07 +0000\r\n\r\nbody ${n}\r\n`
}

interface Dovecot {
  readonly folder: string
  readonly port: number
  server: ServerProcess
}

async function dovecot(mails: number): Promise<Dovecot> {
  const folder = serverFolder('dovecot')
  const port = await freePort()
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(folder, 'mail', part), { recursive: true })
  for (let n = 0; n < mails; n++)
    writeFileSync(join(folder, 'mail', 'new', `${1000 + n}.M${n}.test`), mail(n))
  // Mails of root are none of Dovecot's business.
  runCommand('chown', ['-R', 'nobody:nogroup', join(folder, 'mail')])
  writeFileSync(join(folder, 'users'), 'me:{PLAIN}secret::::::\n')
  writeFileSync(
    join(folder, 'dovecot.conf'),
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
protocols = imap
ssl = no
disable_plaintext_auth = no
first_valid_uid = 0
mail_location = maildir:${folder}/mail
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}
}
`,
  )
  const started: Dovecot = { folder, port, server: await startServer(folder, port) }
  running.push({ dispose: () => started.server.dispose() })
  return started
}

function startServer(folder: string, port: number): Promise<ServerProcess> {
  return ServerProcess.start({
    command: commandPath('dovecot'),
    args: ['-F', '-c', join(folder, 'dovecot.conf')],
    folder,
    port,
  })
}

async function reader({ port }: Dovecot, more: string, folder?: string): Promise<Millrace> {
  const millrace = await Millrace.start({
    config: `input { imap { host => "127.0.0.1" port => ${port} user => "me" password => "secret" secure => false check_interval => 1 ${more} } } ${OUT}`,
    ...(folder !== undefined && { folder }),
  })
  running.push(millrace)
  await millrace.untilStarted(60_000)
  return millrace
}

describe('imap input', () => {
  it('reads each mail once and marks it as read', async () => {
    const server = await dovecot(120)
    const millrace = await reader(server, 'fetch_count => 50')
    await millrace.until(() => millrace.events().length === 120, 120_000)
    expect(millrace.events()[7]).toMatchObject({
      message: 'body 7\r\n',
      subject: 'mail 7',
      '@timestamp': '2015-10-01T05:06:07.000Z',
    })
    await millrace.until(
      () =>
        readdirSync(join(server.folder, 'mail', 'cur')).filter((name) => name.endsWith('S')).length === 120,
      60_000,
    )
    writeFileSync(join(server.folder, 'mail', 'new', '9999.M1.test'), mail(999))
    await millrace.until(() => millrace.events().length === 121, 60_000)
    expect(millrace.events().at(-1)).toMatchObject({ subject: 'mail 999' })
  }, 300_000)

  it('removes mails that are deleted', async () => {
    const server = await dovecot(10)
    const millrace = await reader(server, 'delete => true expunge => true')
    await millrace.until(() => millrace.events().length === 10, 120_000)
    const left = () => ['cur', 'new'].flatMap((part) => readdirSync(join(server.folder, 'mail', part))).length
    await millrace.until(() => left() === 0, 60_000)
  }, 300_000)

  it('loses none of 10,000 mails while server and reader are killed', async () => {
    const server = await dovecot(10_000)
    const first = await reader(server, 'fetch_count => 200')
    await first.until(() => first.events().length > 2000, 120_000)
    first.signal('SIGKILL')
    await first.exit()
    await server.server.end('SIGKILL')
    server.server = await startServer(server.folder, server.port)
    const second = await reader(server, 'fetch_count => 200')
    const subjects = () => [...first.events(), ...second.events()].map(({ subject }) => subject)
    await second.until(() => new Set(subjects()).size === 10_000, 400_000)
    process.stdout.write(
      `imap: 10000 mails, killed after ${first.events().length}: 0 lost, ${subjects().length - 10_000} twice\n`,
    )
    expect(subjects().length - 10_000).toBeLessThanOrEqual(200)
  }, 600_000)
})
