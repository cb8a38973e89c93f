/**
 * fingerprint: a digest of one or several fields, to recognise an event again or to hide a value. The
 * method becomes a function from a value to its fingerprint when the pipeline starts.
 */
import { randomUUID } from 'node:crypto'
import type { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { refuseToRegister } from '../values/register-refusal.ts'
import { allFieldsText, pairText } from './fingerprint/fingerprint-text.ts'
import { compileMethod, methods } from './fingerprint/method.ts'

export default defineFilter({
  name: 'fingerprint',
  oneToOne: true,
  summary: 'Computes digests of fields.',
  description: [
    'Of several sources the last one that exists wins, unless they are concatenated: the text is then',
    '`|name|value|name|value|`, by the names of the sources in alphabetical order. A list gives a list of',
    'fingerprints. With a `key` the digests are HMACs.',
  ].join('\n'),
  options: {
    source: option.array({ default: ['message'], doc: 'The fields to compute the fingerprint of.' }),
    target: option.string({
      doc: 'Field for the fingerprint; `[event][hash]` with ECS compatibility, otherwise `fingerprint`.',
    }),
    method: option.oneOf(methods, {
      default: 'SHA1',
      doc:
        'How to compute it. IPV4_NETWORK keeps the network of an address, PUNCTUATION what is neither letter ' +
        'nor digit nor blank, UUID is random.',
    }),
    key: option.password({
      doc: 'Key of the HMAC; for IPV4_NETWORK the length of the network prefix, in quotes.',
    }),
    base64encode: option.boolean({ default: false, doc: 'Write digests in base64 instead of hexadecimal.' }),
    concatenate_sources: option.boolean({
      default: false,
      doc: 'Whether all sources together make one fingerprint.',
    }),
    concatenate_all_fields: option.boolean({
      default: false,
      doc: 'Whether all fields of the event together make one fingerprint.',
    }),
  },
  examples: [
    {
      title: 'A digest',
      config: 'fingerprint { source => "user" target => "id" method => "MD5" }',
      in: { user: 'jane' },
      out: { user: 'jane', id: '5844a15e76563fedd11840fd6f40ea7b' },
    },
    {
      title: 'The network of an address',
      config: 'fingerprint { source => "ip" target => "ip" method => "IPV4_NETWORK" key => "24" }',
      in: { ip: '10.1.2.3' },
      out: { ip: '10.1.2.0' },
    },
    {
      title: 'The shape of a line',
      config: 'fingerprint { method => "PUNCTUATION" target => "shape" }',
      in: { message: 'PHP Warning: json_encode() [<a href=x>]' },
      out: { message: 'PHP Warning: json_encode() [<a href=x>]', shape: ':_()[<=>]' },
    },
  ],
  create({ options, compile, ecs, logger }) {
    const { method, concatenate_sources, concatenate_all_fields } = options
    const set = compile.set(options.target ?? (ecs === 'disabled' ? 'fingerprint' : '[event][hash]'))
    const names = options.source.map(rubyText)
    const sources = names.map((name) => ({ name, get: compile.get(name) }))
    const sortedSources = [...sources].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    if (method === 'IPV4_NETWORK' && options.key === undefined) {
      refuseToRegister('fingerprint', 'Key value is empty. Please fill in a subnet prefix length')
    }
    const fingerprint = compileMethod(method, options.key?.value, options.base64encode)

    function concatenated(event: Event): Value {
      const text = concatenate_all_fields
        ? allFieldsText(event.data)
        : sortedSources.map(({ name, get }) => pairText(name, get(event))).join('')
      return fingerprint(`${text}|`)
    }

    function single(event: Event): void {
      for (const { get } of method === 'PUNCTUATION' ? sortedSources : sources) {
        const value = get(event)
        if (value === undefined) continue
        set(event, Array.isArray(value) ? value.map(fingerprint) : fingerprint(value))
      }
    }

    return {
      filter(event) {
        try {
          if (method === 'UUID') set(event, randomUUID())
          else if (method !== 'PUNCTUATION' && (concatenate_sources || concatenate_all_fields))
            set(event, concatenated(event))
          else single(event)
        } catch (exception) {
          logger.warn('Fingerprint could not be computed', { method, exception })
          return false
        }
        return true
      },
    }
  },
})
