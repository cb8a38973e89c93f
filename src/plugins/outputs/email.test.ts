import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import { certificateFiles } from '../tls/test-certificate.ts'
import { addressesOf, headerText } from './email/message.ts'
import { TestMailServer } from './email/test-mail-server.ts'
import email from './email.ts'

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function mailServer() {
  const server = await TestMailServer.start()
  atEnd.push(() => server.close())
  return server
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
