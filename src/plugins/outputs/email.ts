/** The email output: a mail per event, over SMTP. A mail that cannot be sent is logged, not tried again. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { escapeHtml } from '../../text/html-escape.ts'
import { addressesOf, mailText } from './email/message.ts'
import { sendMail } from './email/smtp-client.ts'

const answerMilliseconds = 30_000
const maxAttachmentBytes = 32 * 1024 * 1024

export default defineOutput({
  name: 'email',
  summary: 'Sends a mail for each event.',
  description:
    'In `body`, a backslash followed by n is a new line. `template_file` is HTML with `{{field}}` for the text of ' +
    'a field and `{{{field}}}` for the same without escaping.',
  options: {
    to: option.string({ required: true, doc: 'Receivers, separated by commas; may contain `%{…}`.' }),
    from: option.string({ default: 'logstash.alert@example.com', doc: 'Sender; may contain `%{…}`.' }),
    cc: option.string({ doc: 'Receivers of copies; may contain `%{…}`.' }),
    bcc: option.string({ doc: 'Receivers of hidden copies; may contain `%{…}`.' }),
    replyto: option.string({ doc: 'Where answers should go; may contain `%{…}`.' }),
    subject: option.string({ default: '', doc: 'Subject; may contain `%{…}`.' }),
    body: option.string({ default: '', doc: 'Text; may contain `%{…}`.' }),
    htmlbody: option.string({ default: '', doc: 'HTML; may contain `%{…}`.' }),
    contenttype: option.string({
      default: 'text/html; charset=UTF-8',
      doc: 'Type of the HTML part.',
    }),
    template_file: option.path({ doc: 'File with a template for the HTML part.' }),
    attachments: option.array({ default: [], doc: 'Files to attach; may contain `%{…}`.' }),
    via: option.string({ default: 'smtp', doc: 'How mails are sent; only `smtp` is possible.' }),
    address: option.string({ default: 'localhost', doc: 'Address or name of the mail server.' }),
    port: option.number({ default: 25, doc: 'Port of the mail server.' }),
    domain: option.string({ default: 'localhost', doc: 'Name to greet the mail server with.' }),
    username: option.string({ doc: 'User at the mail server.' }),
    password: option.password({ doc: 'Password at the mail server.' }),
    authentication: option.string({ default: 'plain', doc: 'How to log in: `plain` or `login`.' }),
    use_tls: option.boolean({ default: false, doc: 'Whether to switch to TLS.' }),
    ssl_verification_mode: option.oneOf(['full', 'none'], {
      default: 'full',
      doc: 'Whether to check certificate and name of the mail server.',
    }),
    ssl_certificate_authorities: option.list(option.path({ doc: 'A file.' }), {
      default: [],
      doc: 'Certificates, PEM files, that are trusted instead of those of the system.',
    }),
    debug: option.boolean(withoutEffect('`--log.level debug` shows what is sent.', false)),
  },
  codec: 'plain',
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    if (options.via !== 'smtp') throw new Error(`\`via => ${options.via}\`: mails can only be sent over smtp`)
    const template = (text: string | undefined) => compile.template(text ?? '')
    const [to, from, cc, bcc] = [options.to, options.from, options.cc, options.bcc].map(template)
    const [replyTo, subject, body, html] = [
      options.replyto,
      options.subject,
      options.body,
      options.htmlbody,
    ].map(template)
    const attachments = options.attachments.map((path) => compile.template(valueText(path)))
    let page: string | undefined
    let ca: string | undefined

    const deliver = async (event: Event): Promise<void> => {
      const receivers = [to, cc, bcc].flatMap((list) => addressesOf(list!(event)))
      if (receivers.length === 0) return
      const message = mailText({
        from: from!(event),
        to: to!(event),
        cc: cc!(event),
        replyTo: replyTo!(event),
        subject: subject!(event),
        text: body!(event).replaceAll('\\n', '\n'),
        html: page === undefined ? html!(event) : filled(page, event),
        htmlType: options.contenttype,
        attachments: await Promise.all(attachments.map((path) => attached(path(event)))),
        date: new Date(),
      })
      await sendMail(
        {
          host: options.address,
          port: options.port,
          domain: options.domain,
          startTls: options.use_tls,
          ca,
          checksCertificate: options.ssl_verification_mode === 'full',
          user: options.username,
          password: options.password?.value,
          login: options.authentication.toLowerCase() === 'login' ? 'login' : 'plain',
          milliseconds: answerMilliseconds,
        },
        { from: addressesOf(from!(event))[0] ?? '', to: receivers },
        message,
      )
    }

    return {
      async register() {
        if (options.template_file !== undefined) page = await readFile(options.template_file, 'utf8')
        const files = options.ssl_certificate_authorities
        if (files.length > 0) ca = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).join('\n')
      },
      async receive(events) {
        for (const event of events) {
          abort.throwIfAborted()
          try {
            await deliver(event)
          } catch (error) {
            const { message, name } = error as Error
            logger.error('Something happen while delivering an email', { exception: name, message })
            giveUp(event, message)
          }
        }
      },
    }
  },
})

async function attached(path: string): Promise<{ name: string; bytes: Buffer }> {
  const bytes = await readFile(path)
  if (bytes.length > maxAttachmentBytes) throw new RangeError(`the attachment ${path} is too large`)
  return { name: basename(path), bytes }
}

/** `{{field}}` and `{{{field}}}`; a field that is not there is empty. */
function filled(page: string, event: Event): string {
  const text = (reference: string) => {
    const value = event.get(reference)
    return value === undefined || value === null ? '' : valueText(value)
  }
  return page.replace(
    /\{\{\{\s*([^{}]+?)\s*\}\}\}|\{\{&?\s*([^{}]+?)\s*\}\}/g,
    (_, raw?: string, name?: string) => (raw === undefined ? escapeHtml(text(name ?? '')) : text(raw)),
  )
}
