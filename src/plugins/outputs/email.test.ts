import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import { addressesOf, headerText } from './email/message.ts'
import email from './email.ts'

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

interface Mail {
  commands: string[]
  data: string
}

/** A mail server that takes everything but receivers at `nowhere`. */
async function mailServer() {
  const mails: Mail[] = []
  const serve = (socket: Socket | TLSSocket, mail: Mail, greet: boolean) => {
    let kept = ''
    let inData = false
    const say = (text: string) => socket.write(`${text}\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      kept += chunk.toString()
      if (inData) {
        const end = kept.indexOf('\r\n.\r\n')
        if (end < 0) return
        mail.data = kept.slice(0, end)
        kept = kept.slice(end + 5)
        inData = false
        say('250 queued')
      }
      for (let end = kept.indexOf('\r\n'); end >= 0 && !inData; end = kept.indexOf('\r\n')) {
        const line = kept.slice(0, end)
        kept = kept.slice(end + 2)
        mail.commands.push(line)
        if (line.startsWith('EHLO')) say('250-here\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS')
        else if (line === 'STARTTLS') {
          say('220 go')
          socket.removeAllListeners('data')
          const secure = new TLSSocket(socket, { isServer: true, key: testKey, cert: testCertificate })
          serve(secure, mail, false)
          return
        } else if (line.startsWith('AUTH PLAIN')) say('235 ok')
        else if (line === 'AUTH LOGIN' || /^dXNlcg==$/.test(line)) say('334 next')
        else if (/^cGFzcw==$/.test(line)) say('235 ok')
        else if (line.includes('nowhere')) say('550 no such user')
        else if (line === 'DATA') {
          inData = true
          say('354 go')
        } else say(line === 'QUIT' ? '221 bye' : '250 ok')
      }
    })
    if (greet) say('220 mail')
  }
  const server = createServer((socket) => {
    const mail: Mail = { commands: [], data: '' }
    mails.push(mail)
    serve(socket, mail, true)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd.push(() => server.close())
  return { mails, port: (server.address() as AddressInfo).port }
}

async function output(port: number, options: TestOptions = {}) {
  const made = outputFor(email, { address: '127.0.0.1', port, to: 'a@x', from: 'b@y', ...options })
  await made.instance.register!()
  return made
}

const decoded = (data: string) =>
  data
    .split('\r\n\r\n')
    .slice(1)
    .map((part) => Buffer.from(part.split('\r\n--')[0]!, 'base64').toString())

describe('email', () => {
  it('sends a mail per event', async () => {
    const { mails, port } = await mailServer()
    const { deliver } = await output(port, {
      to: '%{who}@x, Other <c@x>',
      cc: 'd@x',
      bcc: 'e@x',
      subject: 'é %{n}',
      body: 'one\\ntwo\n.dot',
    })
    await deliver([{ who: 'a', n: 1 }])
    expect(mails[0]!.commands).toEqual([
      'EHLO localhost',
      'MAIL FROM:<b@y>',
      'RCPT TO:<a@x>',
      'RCPT TO:<c@x>',
      'RCPT TO:<d@x>',
      'RCPT TO:<e@x>',
      'DATA',
      'QUIT',
    ])
    const { data } = mails[0]!
    expect(data).toContain('To: a@x, Other <c@x>\r\nCc: d@x\r\n')
    expect(data).not.toContain('e@x')
    expect(data).toContain(`Subject: =?UTF-8?B?${Buffer.from('é 1').toString('base64')}?=`)
    expect(decoded(data)).toEqual(['one\ntwo\n.dot'])
  })

  it('logs in, over TLS', async () => {
    const { mails, port } = await mailServer()
    const { certificate } = await certificateFiles()
    const login = { username: 'user', password: 'pass', ssl_certificate_authorities: certificate }
    const plain = await output(port, { ...login, use_tls: true })
    await plain.deliver([{}])
    expect(plain.environment.logger.messages('error')).toEqual([])
    expect(mails[0]!.commands.slice(0, 4)).toEqual([
      'EHLO localhost',
      'STARTTLS',
      'EHLO localhost',
      `AUTH PLAIN ${Buffer.from('\0user\0pass').toString('base64')}`,
    ])
    await (await output(port, { ...login, authentication: 'login' })).deliver([{}])
    expect(mails[1]!.commands.slice(1, 4)).toEqual(['AUTH LOGIN', 'dXNlcg==', 'cGFzcw=='])
  })

  it.each([
    ['full', 0],
    ['none', 1],
  ])(
    'with ssl_verification_mode => %s, %i mails go to a server that nobody vouches for',
    async (mode, sent) => {
      const { mails, port } = await mailServer()
      const { deliver, environment } = await output(port, { use_tls: true, ssl_verification_mode: mode })
      await deliver([{}])
      expect(mails.filter(({ data }) => data !== '')).toHaveLength(sent)
      expect(environment.logger.messages('error')).toHaveLength(1 - sent)
    },
  )

  it('has an HTML part, a template and attachments', async () => {
    const { mails, port } = await mailServer()
    const folder = await mkdtemp(join(tmpdir(), 'millrace-email-'))
    const page = join(folder, 'page.html')
    await writeFile(page, '<b>{{ m }}</b>{{{m}}}{{none}}')
    await (await output(port, { body: 'text', template_file: page, attachments: [page] })).deliver([
      { m: '<i>' },
    ])
    const { data } = mails[0]!
    expect(data).toContain('Content-Type: multipart/mixed')
    expect(data).toContain('filename="page.html"')
    expect(decoded(data).filter((text) => text !== '')).toEqual(
      expect.arrayContaining(['text', '<b>&lt;i&gt;</b><i>']),
    )
  })

  it('greets with its domain, names who gets answers, and has HTML of a type', async () => {
    const { mails, port } = await mailServer()
    const options = {
      domain: 'me.example',
      replyto: '%{who}@z',
      htmlbody: '<b>%{who}</b>',
      contenttype: 'text/html; charset=UTF-8; own=yes',
    }
    await (await output(port, options)).deliver([{ who: 'w' }])
    const { commands, data } = mails[0]!
    expect(commands[0]).toBe('EHLO me.example')
    expect(data).toContain('Reply-To: w@z\r\n')
    expect(data).toContain('Content-Type: text/html; charset=UTF-8; own=yes\r\n')
    expect(decoded(data)).toContain('<b>w</b>')
  })

  it('logs what the server refuses, and goes on', async () => {
    const { mails, port } = await mailServer()
    const { deliver, environment } = await output(port, { to: '%{to}' })
    await deliver([{ to: 'a@nowhere' }, { to: 'a@x' }])
    expect(environment.logger.lines.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        message: 'Something happen while delivering an email',
        fields: { exception: 'Error', message: '550 no such user' },
      },
    ])
    expect(mails[1]!.data).not.toBe('')
  })

  it('lets no event write commands or headers', () => {
    expect(addressesOf('a@x>\r\nDATA\r\n, <b@y>')).toEqual(['a@xDATA', 'b@y'])
    expect(headerText('a\r\nBcc: b@y')).toBe('a Bcc: b@y')
  })
})
