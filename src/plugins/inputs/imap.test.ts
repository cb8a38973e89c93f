import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Value } from '../../event/value.ts'
import { inputFor } from '../../plugin/testing.ts'
import { decodeWords, readMail } from './imap/mail.ts'
import { mailPayload } from './imap/mail-event.ts'
import imap from './imap.ts'

const plain = {
  contentType: 'text/plain',
  rfc822: false,
  stripAttachments: false,
  saveAttachments: false,
  lowercaseHeaders: true,
  headersTarget: '',
  attachmentsTarget: '[attachments]',
}

function read(lines: string[], more: Partial<typeof plain> = {}) {
  const { payload, origin } = mailPayload(Buffer.from(lines.join('\r\n')), { ...plain, ...more })
  return {
    message: payload.toString(),
    fields: Object.fromEntries(origin.overwrite ?? []) as Record<string, Value>,
  }
}

const multipart = [
  'From: Me <me@example.com>',
  'Subject: =?utf-8?Q?na=C3=AFve?= =?iso-8859-1?B?6Q==?= end',
  'Received: one',
  'Received: two',
  ' folded',
  'Received: three',
  'Date: Thu, 01 Oct 2015 05:06:07 +0200',
  'Content-Type: multipart/mixed; boundary="=_b"',
  '',
  'preamble',
  '--=_b',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/html',
  '',
  '<p>hello</p>',
  '--inner',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'caf=E9 =',
  'au lait',
  '--inner--',
  '--=_b',
  'Content-Type: application/pdf; name="x.pdf"',
  "Content-Disposition: attachment; filename*=utf-8''na%C3%AFve.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  'aGVs',
  'bG8=',
  '--=_b--',
  'epilogue',
]

describe('a mail', () => {
  it('without parts is its body', () => {
    const { message, fields } = read(['Subject: hi', 'X-Odd[1]: no', '', 'line one', 'line two'])
    expect(message).toBe('line one\r\nline two')
    expect(fields).toEqual({ subject: 'hi' })
  })

  it('with parts is the first one of the wanted type', () => {
    const { message, fields } = read(multipart)
    expect(message).toBe('café au lait')
    expect(fields).toMatchObject({
      from: 'Me <me@example.com>',
      subject: 'naïveé end',
      received: ['one', 'two folded', 'three'],
      date: 'Thu, 01 Oct 2015 05:06:07 +0200',
      '@timestamp': new Timestamp(Date.UTC(2015, 9, 1, 3, 6, 7)),
      '[attachments]': [{ filename: 'naïve.pdf' }],
    })
    expect(read(multipart, { contentType: 'text/html' }).message).toBe('<p>hello</p>')
    expect(read(multipart, { contentType: 'text/xml' }).message).toBe('<p>hello</p>')
  })

  it('keeps the spelling of headers, and then has no date', () => {
    const { fields } = read(multipart, { lowercaseHeaders: false })
    expect(fields['Subject']).toBe('naïveé end')
    expect(fields).not.toHaveProperty('Date')
  })

  it('has its headers and attachments where they are wanted', () => {
    const { fields } = read(multipart, {
      headersTarget: '[@metadata][input][imap][headers]',
      attachmentsTarget: '[files]',
      saveAttachments: true,
    })
    expect(fields['[@metadata][input][imap][headers][from]']).toBe('Me <me@example.com>')
    expect(fields['[files]']).toEqual([
      { filename: 'naïve.pdf', data: Buffer.from('hello').toString('base64') },
    ])
    expect(read(multipart, { stripAttachments: true }).fields).not.toHaveProperty('[attachments]')
  })

  it('is unread on demand', () => {
    expect(read(multipart, { rfc822: true }).message).toBe(multipart.join('\r\n'))
  })

  it.each([
    ['=?utf-8?B?w6k=?=', 'é'],
    ['=?UTF-8?q?a_b=3F?=', 'a b?'],
    ['a =?utf-8?Q?b?= =?utf-8?Q?c?= d', 'a bc d'],
    ['=?unknown-8bit?Q?x?=', 'x'],
    ['=?broken', '=?broken'],
  ])('decodes %s', (text, expected) => {
    expect(decodeWords(text)).toBe(expected)
  })

  it('is read whatever it is: 10,000 mutated mails', () => {
    let seed = 5
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    const source = Buffer.from(multipart.join('\r\n'))
    let parts = 0
    for (let i = 0; i < 10_000; i++) {
      const bytes = Buffer.from(source)
      for (let n = random(8); n > 0; n--) bytes[random(bytes.length)] = random(256)
      const { payload } = mailPayload(i % 5 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes, plain)
      parts += payload.length >= 0 ? 1 : 0
    }
    expect(parts).toBe(10_000)
  })

  it('is bounded in depth and parts', () => {
    const nested = Buffer.from('Content-Type: multipart/mixed; boundary=b\n\n--b\n'.repeat(5000))
    expect(readMail(nested).children.length).toBeGreaterThan(0)
    const wide = Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(20_000)}`)
    expect(readMail(wide).children.length).toBeLessThanOrEqual(1000)
  })
})

describe('imap input', () => {
  it('says which package is missing', async () => {
    const { instance } = inputFor(imap, { host: 'h', user: 'u', password: 'p' })
    await expect(instance.register!()).rejects.toThrow('npm install imapflow')
  })
})
