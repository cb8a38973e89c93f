/**
 * anonymize: replaces fields by digests of themselves. Older than fingerprint, which can do the same and
 * more; kept because configurations use it.
 */
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { compileMethod } from './fingerprint/method.ts'

export default defineFilter({
  name: 'anonymize',
  oneToOne: true,
  summary: 'Replaces fields by digests of them.',
  options: {
    fields: option.array({ required: true, names: 'items', doc: 'The fields to replace.' }),
    algorithm: option.oneOf(['SHA1', 'SHA256', 'SHA384', 'SHA512', 'MD5', 'MURMUR3', 'IPV4_NETWORK'], {
      default: 'SHA1',
      doc: 'How to compute the digest, an HMAC; IPV4_NETWORK keeps the network of an address.',
    }),
    key: option.string({
      required: true,
      doc: 'Key of the digest; for IPV4_NETWORK the length of the network prefix.',
    }),
  },
  examples: [
    {
      title: 'Networks instead of addresses',
      config: 'anonymize { fields => ["client"] algorithm => "IPV4_NETWORK" key => 16 }',
      in: { client: '10.1.2.3' },
      out: { client: '10.1.0.0' },
    },
    {
      title: 'Digests of a list',
      config: 'anonymize { fields => ["users"] algorithm => "MD5" key => "key" }',
      in: { users: ['The quick brown fox jumps over the lazy dog'] },
      out: { users: ['80070713463e7749b90c2dc24911e275'] },
    },
  ],
  create({ options: { fields, algorithm, key }, compile, logger }) {
    const digest = compileMethod(algorithm, key, false)
    const places = fields.map((field) => {
      const name = rubyText(field)
      return { name, get: compile.get(name), set: compile.set(name) }
    })
    return {
      filter(event) {
        for (const { name, get, set } of places) {
          const value = get(event)
          if (value === undefined || value === null) continue
          try {
            set(event, Array.isArray(value) ? value.map(digest) : digest(value))
          } catch (exception) {
            logger.warn('Field could not be anonymized', { field: name, exception })
          }
        }
        // Logstash never applies the common options.
        return false
      },
    }
  },
})
