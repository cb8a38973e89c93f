/** What each option of the imap input does, with a mailbox in place of the package that speaks to servers. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inputFor, type TestOptions } from '../../../plugin/testing.ts'
import imap from '../imap.ts'

const mail = [
  'Subject: hello',
  'X-Own: Value',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'the text',
  '--b',
  'Content-Type: text/html',
  '',
  '<p>the page</p>',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=x.pdf',
  '',
  'content',
  '--b--',
].join('\r\n')

const box = { settings: {} as Record<string, unknown>, queries: [] as unknown[], done: () => {} }

class FakeImapFlow {
  constructor(settings: Record<string, unknown>) {
    box.settings = settings
  }
  on(): void {}
  async connect(): Promise<void> {}
  async getMailboxLock() {
    return { release() {} }
  }
  async search(query: unknown): Promise<number[]> {
    box.queries.push(query)
    return [7]
  }
  async *fetch() {
    yield { uid: 7, source: Buffer.from(mail) }
  }
  async messageFlagsAdd(): Promise<boolean> {
    return true
  }
  async mailboxClose(): Promise<boolean> {
    return true
  }
  async logout(): Promise<void> {
    box.done()
  }
  close(): void {}
}
vi.mock('imapflow', () => ({ ImapFlow: FakeImapFlow }))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-imap-'))
  box.queries = []
})

/** The event of the one mail. */
async function received(options: TestOptions) {
  const login = { host: 'h', user: 'u', password: 'p', check_interval: 1000 }
  const input = inputFor(imap, { ...login, sincedb_path: join(folder, 'since'), ...options })
  await input.instance.register!()
  const checked = new Promise<void>((resolve) => {
    box.done = resolve
  })
  const ended = input.instance.run(input.sink)
  await checked
  await input.instance.stop()
  await ended
  await input.instance.close?.()
  return input.sink.fields()[0]!
}

describe('options of the imap input', () => {
  it('content_type chooses the part that becomes the message', async () => {
    expect((await received({}))['message']).toBe('the text')
    expect((await received({ content_type: 'text/html' }))['message']).toBe('<p>the page</p>')
  })

  it('rfc822_mail takes the mail as it is', async () => {
    expect((await received({ rfc822_mail: true }))['message']).toBe(mail)
  })

  it('lowercase_headers and headers_target say how and where headers stand', async () => {
    expect(await received({})).toMatchObject({ subject: 'hello', 'x-own': 'Value' })
    expect(await received({ lowercase_headers: false })).toMatchObject({ Subject: 'hello', 'X-Own': 'Value' })
    expect(await received({ headers_target: '[mail][head]' })).toMatchObject({
      mail: { head: { subject: 'hello' } },
    })
    expect(await received({ headers_target: '' })).not.toHaveProperty('subject')
  })

  it('attachments are named, come with their content, elsewhere, or not at all', async () => {
    const [named] = (await received({}))['attachments'] as { filename: string }[]
    expect(named).toMatchObject({ filename: 'x.pdf' })
    expect(named).not.toHaveProperty('data')
    const [whole] = (await received({ save_attachments: true }))['attachments'] as { data: string }[]
    expect(Buffer.from(whole!.data, 'base64').toString().trim()).toBe('content')
    expect(await received({ attachments_target: '[a][b]' })).toMatchObject({
      a: { b: [{ filename: 'x.pdf' }] },
    })
    expect(await received({ strip_attachments: true })).not.toHaveProperty('attachments')
  })

  it('uid_tracking reads what comes after the number in sincedb_path', async () => {
    const sincedb_path = join(folder, 'mine')
    writeFileSync(sincedb_path, '5')
    await received({ sincedb_path })
    await received({ sincedb_path, uid_tracking: true })
    expect(box.queries).toEqual([{ seen: false }, { uid: '8:*' }])
    expect(readFileSync(sincedb_path, 'utf8')).toBe('7')
  })

  it('verify_cert says whether the certificate is checked', async () => {
    await received({})
    expect(box.settings['tls']).toEqual({ rejectUnauthorized: true })
    await received({ verify_cert: false })
    expect(box.settings['tls']).toEqual({ rejectUnauthorized: false })
  })
})
