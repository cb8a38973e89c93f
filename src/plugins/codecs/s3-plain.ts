/**
 * The s3_plain codec: the text of events as the s3 output of Logstash 1.4 wrote it. Its gem is called s3plain, its name in a
 * configuration is s3_plain; both are known here.
 */
import { valueText } from '../../event/sprintf.ts'
import { inspect } from '../../log/ruby-inspect.ts'
import { type CodecDefinition, defineCodec, type Value } from '../../plugin/define.ts'

export function s3Plain(name: string): CodecDefinition {
  return defineCodec({
    name,
    summary: 'Writes events as old versions of the s3 output did.',
    description: 'It cannot read: what an input gives it is logged as an error and dropped.',
    options: {},
    create({ logger }) {
      return {
        decode() {
          logger.error('This codec is only used for backward compatibility with the previous S3 output.')
        },
        encode(event) {
          const text = (reference: string) => textOf(event.get(reference))
          const tags = event.get('tags') ?? []
          return [
            `Date: ${text('@timestamp')}`,
            `Source: ${text('source')}`,
            `Tags: ${(Array.isArray(tags) ? tags : [tags]).map(textOf).join(', ')}`,
            `Fields: ${inspect(event.toHash())}`,
            `Message: ${text('message')}`,
          ].join('\n')
        },
      }
    },
  })
}

function textOf(value: Value | undefined): string {
  return value === undefined || value === null ? '' : valueText(value)
}

export default s3Plain('s3_plain')
