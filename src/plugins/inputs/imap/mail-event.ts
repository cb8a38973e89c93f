/** What of a mail becomes the payload of an event, and which fields go with it. */
import { Timestamp } from '../../../event/timestamp.ts'
import type { Fields, Value } from '../../../event/value.ts'
import type { Origin } from '../../../plugin/define.ts'
import { everyPart, headerOf, type MailPart, partText, readMail } from './mail.ts'

interface MailReading {
  readonly contentType: string
  readonly rfc822: boolean
  readonly stripAttachments: boolean
  readonly saveAttachments: boolean
  readonly lowercaseHeaders: boolean
  /** Undefined: no headers; empty: at the root of the event. */
  readonly headersTarget: string | undefined
  readonly attachmentsTarget: string | undefined
}

const reserved = new Set(['@timestamp', '@version', '@metadata'])

export function mailPayload(source: Buffer, reading: MailReading): { payload: Buffer; origin: Origin } {
  const mail = readMail(source)
  const overwrite: [string, Value][] = []
  const date = Date.parse(headerOf(mail, 'date') ?? '')
  if (!Number.isNaN(date)) overwrite.push(['@timestamp', new Timestamp(date)])
  if (reading.headersTarget !== undefined) {
    for (const [name, value] of headerFields(mail, reading.lowercaseHeaders))
      overwrite.push([reading.headersTarget === '' ? name : `${reading.headersTarget}[${name}]`, value])
  }
  const attachments = reading.stripAttachments ? [] : attachmentsOf(mail, reading.saveAttachments)
  if (attachments.length > 0 && reading.attachmentsTarget !== undefined)
    overwrite.push([reading.attachmentsTarget, attachments])
  const payload = reading.rfc822 ? source : Buffer.from(messageOf(mail, reading))
  return { payload, origin: { overwrite } }
}

/** The first part of the wanted type that is no attachment, else the first part. */
function messageOf(mail: MailPart, { contentType }: MailReading): string {
  if (mail.children.length === 0) return partText(mail)
  const leaves = [...everyPart(mail)].filter(({ children }) => children.length === 0)
  const shown = leaves.filter(({ isAttachment }) => !isAttachment)
  const wanted = contentType.toLowerCase()
  const part = shown.find(({ type }) => type.startsWith(wanted)) ?? shown[0] ?? leaves[0]
  return part === undefined ? '' : partText(part)
}

/** A header that is there several times is a list. */
function headerFields(mail: MailPart, lowercase: boolean): Map<string, Value> {
  const fields = new Map<string, Value>()
  for (const header of mail.headers) {
    const name = lowercase ? header.name.toLowerCase() : header.name
    // With its own spelling the date is the time of the event, and nothing else, as in Logstash.
    if (name === 'Date' || reserved.has(name) || /[[\]]/.test(name)) continue
    const known = fields.get(name)
    if (known === undefined) fields.set(name, header.value)
    else if (Array.isArray(known)) known.push(header.value)
    else fields.set(name, [known, header.value])
  }
  return fields
}

function attachmentsOf(mail: MailPart, withData: boolean): Fields[] {
  return [...everyPart(mail)]
    .filter(({ isAttachment, children }) => isAttachment && children.length === 0)
    .map(({ filename = '', body }) => (withData ? { filename, data: body.toString('base64') } : { filename }))
}
