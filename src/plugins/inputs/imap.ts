/**
 * Reads mails from a folder of an IMAP server, in intervals. A mail is marked as read or deleted, and its number
 * remembered, when its events are safe.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageConcern } from '../../plugin/concern.ts'
import { defineInput, option, type Sink } from '../../plugin/define.ts'
import { replaceFile } from '../../storage/replace-file.ts'
import { clientPackage } from '../packages/peer-package.ts'
import { untilSafe } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { type ImapClient, loadImap, packageName } from './imap/client.ts'
import { mailPayload } from './imap/mail-event.ts'

const maxMailBytes = 64 * 1024 * 1024
const firstRetryMilliseconds = 1000

export default defineInput({
  name: 'imap',
  summary: 'Reads mails from an IMAP server.',
  description: [
    clientPackage(packageName),
    '',
    'A mail is marked as read, or as deleted, and its number remembered, when its events are safe: on stable storage where',
    'the queue of the pipeline is persisted, delivered by the outputs where it is in memory. Mails that were not safe when',
    'the input ended are read again. Of a mail longer than 64 MiB only the beginning is read.',
  ].join('\n'),
  options: {
    host: option.string({ required: true, doc: 'Address of the server.' }),
    port: option.number({ doc: 'Port of the server; 993, or 143 without `secure`, unless given.' }),
    user: option.string({ required: true, doc: 'Name to log in with.' }),
    password: option.password({ required: true, doc: 'Password to log in with.' }),
    secure: option.boolean({ default: true, doc: 'Whether to use TLS.' }),
    verify_cert: option.boolean({ default: true, doc: 'Whether to check the certificate of the server.' }),
    folder: option.string({ default: 'INBOX', doc: 'Folder to read.' }),
    fetch_count: option.number({ default: 50, doc: 'How many mails are under way at once.' }),
    check_interval: option.number({ default: 300, doc: 'Seconds between two looks at the folder.' }),
    lowercase_headers: option.boolean({
      default: true,
      doc: 'Whether names of headers are in small letters.',
    }),
    headers_target: option.string({
      doc: 'Field that takes the headers, empty for none; the event itself (ECS: `[@metadata][input][imap][headers]`) unless given.',
    }),
    attachments_target: option.string({
      doc: 'Field that takes the attachments, empty for none; `[attachments]` (ECS: `[@metadata][input][imap][attachments]`) unless given.',
    }),
    save_attachments: option.boolean({
      default: false,
      doc: 'Whether attachments come with their content, in base 64.',
    }),
    strip_attachments: option.boolean({ default: false, doc: 'Whether attachments are left out.' }),
    content_type: option.string({
      default: 'text/plain',
      doc: 'Type of the part of a mail that becomes the message; the first part where there is none.',
    }),
    rfc822_mail: option.boolean({
      default: false,
      doc: 'Whether the whole mail, unread, becomes the message.',
    }),
    delete: option.boolean({
      default: false,
      doc: 'Whether mails are marked as deleted instead of as read.',
    }),
    expunge: option.boolean({ default: false, doc: 'Whether mails that are marked as deleted are removed.' }),
    uid_tracking: option.boolean({
      default: false,
      doc: 'Whether all mails after the last one count as new, instead of those that are not marked as read.',
    }),
    sincedb_path: option.string({
      doc: 'File with the number of the last mail; in `<path.data>/plugins/inputs/imap` unless given.',
    }),
  },
  concerns: () => packageConcern('host', packageName),
  create({ options, ecs, logger, abort, setting }) {
    const { host, user, folder, secure } = options
    const port = options.port ?? (secure ? 993 : 143)
    const stop = new Stop()
    const isOld = ecs === 'disabled'
    const reading = {
      contentType: options.content_type,
      rfc822: options.rfc822_mail,
      stripAttachments: options.strip_attachments,
      saveAttachments: options.save_attachments,
      lowercaseHeaders: options.lowercase_headers,
      headersTarget:
        options.headers_target === undefined
          ? isOld
            ? ''
            : '[@metadata][input][imap][headers]'
          : targetOf(options.headers_target),
      attachmentsTarget:
        options.attachments_target === undefined
          ? isOld
            ? '[attachments]'
            : '[@metadata][input][imap][attachments]'
          : targetOf(options.attachments_target),
    }
    const hash = createHash('md5').update(`${user}_${host}_${port}_${folder}`).digest('hex')
    const sincedb =
      options.sincedb_path ??
      join(String(setting('path.data') ?? '.'), 'plugins', 'inputs', 'imap', `.sincedb_${hash}`)
    let lastUid: number | undefined
    let client: ImapClient | undefined

    const connect = async (): Promise<ImapClient> => {
      const { ImapFlow } = await loadImap()
      const created = new ImapFlow({
        host,
        port,
        secure,
        doSTARTTLS: secure ? undefined : false,
        auth: { user, pass: options.password.value },
        tls: { rejectUnauthorized: options.verify_cert },
        logger: false,
        disableAutoIdle: true,
      })
      created.on('error', (error) => logger.debug('IMAP connection error', { message: error.message }))
      client = created
      await created.connect()
      return created
    }

    const newUids = async (open: ImapClient): Promise<number[]> => {
      const after = options.uid_tracking ? lastUid : undefined
      const query = after === undefined ? { seen: false } : { uid: `${after + 1}:*` }
      const found = await open.search(query, { uid: true })
      const uids = Array.isArray(found) ? found : []
      return uids.filter((uid) => after === undefined || uid > after).sort((a, b) => a - b)
    }

    /** False when not all of them were safe in time: they are read again. */
    const take = async (open: ImapClient, uids: readonly number[], sink: Sink): Promise<boolean> => {
      const pending: Promise<void>[] = []
      const validity = typeof open.mailbox === 'object' ? String(open.mailbox.uidValidity ?? '') : ''
      const query = { uid: true, source: { start: 0, maxLength: maxMailBytes } }
      for await (const { uid, source } of open.fetch(uids.join(','), query, { uid: true })) {
        if (source === undefined) continue
        const { payload, origin } = mailPayload(source, reading)
        let done: () => void = () => {}
        pending.push(
          new Promise<void>((resolve) => {
            done = resolve
          }),
        )
        const name = `imap ${host} ${port} ${user} ${folder} ${validity} ${uid}`
        const accepted = sink.record(payload, origin, { done, name })
        if (accepted !== undefined) await stop.during(accepted)
        if (stop.isRequested) break
      }
      const wasComplete = !stop.isRequested
      const isSafe = await untilSafe(
        Promise.all(pending).then(() => undefined),
        stop,
        abort,
      )
      return isSafe && wasComplete
    }

    const remember = async (uid: number): Promise<void> => {
      lastUid = uid
      await replaceFile(sincedb, String(uid))
    }

    const check = async (sink: Sink): Promise<void> => {
      const open = await connect()
      try {
        const lock = await open.getMailboxLock(folder)
        try {
          const uids = await newUids(open)
          const step = Math.max(1, Math.trunc(options.fetch_count))
          for (let i = 0; i < uids.length && !stop.isRequested; i += step) {
            const some = uids.slice(i, i + step)
            if (!(await take(open, some, sink))) return
            await open.messageFlagsAdd(some.join(','), [options.delete ? '\\Deleted' : '\\Seen'], {
              uid: true,
            })
            await remember(some.at(-1)!)
          }
          if (options.expunge) await open.mailboxClose()
        } finally {
          lock.release()
        }
        await stop.during(open.logout())
      } finally {
        client = undefined
        open.close()
      }
    }

    return {
      async register() {
        await loadImap()
        if (secure && !options.verify_cert)
          logger.warn(
            'Running IMAP without verifying the certificate may grant attackers unauthorized access to your mailbox or data',
          )
        const text = await readFile(sincedb, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return ''
          throw error
        })
        const known = Number.parseInt(text, 10)
        if (Number.isInteger(known)) lastUid = known
      },
      async run(sink) {
        let wait = firstRetryMilliseconds
        const interval = Math.max(1, options.check_interval) * 1000
        while (!stop.isRequested) {
          try {
            await check(sink)
            wait = firstRetryMilliseconds
            await stop.sleep(interval)
          } catch (error) {
            if (stop.isRequested) return
            const { message, name: exception } = error as Error
            logger.error('Encountered error in IMAP', { message, exception })
            await stop.sleep(Math.min(wait, interval))
            wait *= 2
          }
        }
      },
      stop() {
        stop.request()
      },
      close() {
        client?.close()
      },
    }
  },
})

/** A name becomes a reference; an empty one means that the fields are not wanted. */
function targetOf(given: string): string | undefined {
  if (given === '') return undefined
  return given.startsWith('[') ? given : `[${given}]`
}
