/** Mail servers for the tables of plugins: one that takes mails over SMTP, and a stand-in for the package `imapflow`. */
import { EventEmitter } from 'node:events'
import { TestMailServer } from './outputs/email/test-mail-server.ts'
import type { Peer } from './test-peers.ts'

/** SMTP stands for its address. Tells mails: commands, headers by name in small letters, and the body. */
export async function smtpPeer(): Promise<Peer> {
  const server = await TestMailServer.start()
  return {
    words: { SMTP: `address => "127.0.0.1" port => ${server.port}` },
    give() {},
    sent: () =>
      server.mails.splice(0).map(({ commands, data }) => {
        const [head = '', ...rest] = data.split('\r\n\r\n')
        const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
        const headers = lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ])
        return { commands, headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') }
      }),
    settle: async () => {},
    close: () => server.close(),
  }
}

interface Mail {
  readonly uid: number
  readonly lines: readonly string[]
  seen: boolean
}

const played = { mails: [] as Mail[], told: [] as Record<string, unknown>[] }

/** Holds `{"uid": 1, "lines": [header or body line, …]}`; tells which flags were set, and when deleted mails were removed. */
export async function imapPeer(): Promise<Peer> {
  played.mails.length = 0
  played.told.length = 0
  return {
    words: { IMAP: 'host => "mail" user => "me" password => "pw" sincedb_path => "PATH"' },
    give({ uid, lines }) {
      played.mails.push({ uid: Number(uid), lines: lines as string[], seen: false })
    },
    sent: () => played.told.splice(0),
    close() {},
  }
}

class ImapFlow extends EventEmitter {
  readonly mailbox = { uidValidity: 1n }

  async connect(): Promise<void> {}

  async getMailboxLock(folder: string) {
    if (folder !== 'INBOX') played.told.push({ folder })
    return { release() {} }
  }

  async search({ seen, uid }: { seen?: boolean; uid?: string }): Promise<number[]> {
    const from = uid === undefined ? 0 : Number.parseInt(uid, 10)
    return played.mails
      .filter((mail) => (seen === undefined ? mail.uid >= from : mail.seen === seen))
      .map((mail) => mail.uid)
  }

  async *fetch(range: string) {
    for (const mail of played.mails.filter(({ uid }) => range.split(',').includes(String(uid))))
      yield { uid: mail.uid, source: Buffer.from(mail.lines.join('\r\n')) }
  }

  async messageFlagsAdd(range: string, flags: string[]): Promise<boolean> {
    for (const mail of played.mails.filter(({ uid }) => range.split(',').includes(String(uid))))
      mail.seen = true
    played.told.push({ flags, of: range })
    return true
  }

  async mailboxClose(): Promise<boolean> {
    played.told.push({ expunged: true })
    return true
  }

  async logout(): Promise<void> {}
  close(): void {}
}

export const imapPackage = { ImapFlow }
