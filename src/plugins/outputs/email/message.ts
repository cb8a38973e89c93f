/**
 * A mail as text (RFC 5322, MIME): headers, a text part, perhaps an HTML part and attachments. Whatever an event
 * holds, a header is one line; what is not ASCII is encoded.
 */
import { randomBytes } from 'node:crypto'

interface Mail {
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly htmlType: string
  readonly attachments: readonly { name: string; bytes: Buffer }[]
  readonly date: Date
}

export function mailText(mail: Mail): string {
  const headers: [string, string][] = [
    ['Date', mail.date.toUTCString().replace('GMT', '+0000')],
    ['From', mail.from],
    ['To', mail.to],
    ['Cc', mail.cc],
    ['Reply-To', mail.replyTo],
    ['Subject', mail.subject],
    ['Message-ID', `<${randomBytes(16).toString('hex')}@${domainOf(mail.from)}>`],
    ['MIME-Version', '1.0'],
  ]
  const written = headers
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${headerText(value)}`)
  return [...written, contentOf(mail)].join('\r\n')
}

/** Header lines of the content, an empty line, the content. */
function contentOf({ text, html, htmlType, attachments }: Mail): string {
  const plain = part('text/plain; charset=UTF-8', text)
  const parts = [
    ...(text !== '' || html === '' ? [plain] : []),
    ...(html === '' ? [] : [part(headerText(htmlType), html)]),
  ]
  const body = parts.length === 1 ? parts[0]! : multipart('alternative', parts)
  if (attachments.length === 0) return body
  return multipart('mixed', [body, ...attachments.map(attachment)])
}

function part(type: string, text: string): string {
  return [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', base64(Buffer.from(text))].join(
    '\r\n',
  )
}

function attachment({ name, bytes }: { name: string; bytes: Buffer }): string {
  const shown = headerText(name).replace(/["\\]/g, '_')
  return [
    'Content-Type: application/octet-stream',
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${shown}"`,
    '',
    base64(bytes),
  ].join('\r\n')
}

function multipart(kind: string, parts: readonly string[]): string {
  const boundary = `=_${randomBytes(16).toString('hex')}`
  const pieces = parts.map((each) => `--${boundary}\r\n${each}\r\n`)
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${pieces.join('')}--${boundary}--\r\n`
}

function base64(bytes: Buffer): string {
  return (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n')
}

/** One line; words that are not ASCII as RFC 2047 has them. */
export function headerText(value: string): string {
  const line = value.replace(/[\r\n\0]+/g, ' ').trim()
  if (/^[\x20-\x7e\t]*$/.test(line)) return line
  const address = /^(.*?)\s*(<[^<>]*>)$/.exec(line)
  if (address !== null) return `${headerText(address[1]!)} ${address[2]!.replace(/[^\x20-\x7e]/g, '')}`
  const words: string[] = []
  let piece = ''
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > 45) {
      words.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...words, piece].map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/** Addresses of a list `a@b, Name <c@d>`; what could be a command is taken out. */
export function addressesOf(list: string): string[] {
  return list
    .split(/[,;]/)
    .map((entry) => (/<([^<>]*)>/.exec(entry)?.[1] ?? entry).replace(/[\s<>\0]+/g, ''))
    .filter((address) => address !== '')
}

function domainOf(from: string): string {
  return (
    addressesOf(from)[0]
      ?.split('@')[1]
      ?.replace(/[^\w.-]/g, '') || 'localhost'
  )
}
