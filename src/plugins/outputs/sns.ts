/**
 * The sns output: each event is a notification of Amazon SNS. What the service does not take for a while is sent again; what
 * it refuses is given up.
 */
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { valueText } from '../../event/sprintf.ts'
import { isFields, readField, type Value } from '../../event/value.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { encodeOf } from '../../plugin/encode-buffer.ts'
import { awsConcerns, awsOptions } from '../aws/options.ts'
import { packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts, isRefusal } from '../aws/service.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { clientPackage } from '../packages/peer-package.ts'

const maxCharacters = { subject: 100, message: 32_768 }
/** Requests under way at a time. */
const window = 20

export default defineOutput({
  name: 'sns',
  summary: 'Sends events as notifications of Amazon SNS.',
  description: [
    clientPackage(packageNames.sns),
    '',
    'Fields of the event decide: `sns` is the ARN of the topic, if there is one; `sns_subject` the subject, a value that is no',
    'text as JSON, otherwise the host, cut to 100 characters; `sns_message` the message, otherwise the whole event as the codec',
    'writes it, cut to 32,768 characters.',
  ].join('\n'),
  options: {
    ...awsOptions,
    arn: option.string({ doc: 'Topic of events that name none in their field `sns`.' }),
    publish_boot_message_arn: option.string({
      doc: 'Topic that gets the message `Logstash successfully booted` at the start.',
    }),
  },
  codec: 'plain',
  concurrency: 'shared',
  concerns: (options) => awsConcerns(options, 'sns'),
  create({ options, codec, codecName, logger, abort, giveUp }) {
    const encode = encodeOf(codec, codecName)
    let service: AwsService | undefined

    const publish = (arn: string, subject: string, message: string): Promise<unknown> =>
      service!.call('Publish', {
        TopicArn: arn,
        Subject: cut(subject, maxCharacters.subject),
        Message: cut(message, maxCharacters.message),
      })

    const messageOf = (event: Event): string => {
      const given = first(event.get('sns_message'))
      if (typeof given === 'string') return given
      if (given !== undefined) return codecName.startsWith('json') ? writeJson(given) : valueText(given)
      const encoded = encode(event)
      return typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString('utf8')
    }

    const refuse = (event: Event, text: string): void => {
      if (!giveUp(event, text))
        logger.error('An event cannot be sent to SNS and is dropped', { message: text })
    }

    const deliver = async (event: Event): Promise<void> => {
      const arn = first(event.get('sns')) ?? options.arn
      if (arn === undefined) return refuse(event, 'An SNS ARN is required.')
      for (let attempt = 0; ; attempt++) {
        try {
          await publish(valueText(arn), subjectOf(event), messageOf(event))
          return
        } catch (error) {
          abort.throwIfAborted()
          if (isRefusal(error)) return refuse(event, (error as Error).message)
          logger.warn('Failed to send event to SNS; it is sent again', errorFacts(error))
          await pause(exponentialBackOff(attempt, 1000, 60_000), abort)
        }
      }
    }

    return {
      async register() {
        service = await AwsService.open({ service: 'sns', options, logger, abort })
        const { publish_boot_message_arn: arn } = options
        if (arn === undefined) return
        try {
          await publish(arn, 'Logstash booted', 'Logstash successfully booted')
        } catch (error) {
          if (isRefusal(error)) throw error
          logger.error('The boot message could not be sent', errorFacts(error))
        }
      },
      async receive(events) {
        for (let at = 0; at < events.length; at += window) {
          await Promise.all(events.slice(at, at + window).map(deliver))
        }
      },
      close() {
        service?.close()
        service = undefined
      },
    }
  },
})

/** The value, or the first of several; undefined for none. */
function first(value: Value | undefined): Value | undefined {
  const one = Array.isArray(value) ? value[0] : value
  return one === null || one === undefined || one === false ? undefined : one
}

function subjectOf(event: Event): string {
  const given = first(event.get('sns_subject'))
  if (typeof given === 'string') return given
  if (given !== undefined) return writeJson(given)
  const host = first(event.get('host'))
  const name = isFields(host) ? (readField(host, 'name') ?? readField(host, 'hostname')) : host
  return name === undefined || name === null ? 'NO SUBJECT' : valueText(name)
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  let kept = ''
  let count = 0
  for (const character of text) {
    if (++count > characters) break
    kept += character
  }
  return kept
}
