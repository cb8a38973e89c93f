/**
 * Receives events from a logstash output, of this program or of Logstash, which sends batches as JSON over HTTP. A batch
 * is answered when its events are safe, so that the sender sends again what was not.
 */
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type InputInstance, option } from '../../plugin/define.ts'
import { listenOptionsAt } from '../receiving/listen-options.ts'
import { serverCertificate, serverKeyOptions, serverTlsOptions } from '../tls/server-options.ts'
import { httpListener } from './http/listener.ts'
import { listenerOptions } from './logstash/listener-options.ts'
import { factsOf, namedReader } from './logstash/named-events.ts'

export default defineInput({
  name: 'logstash',
  summary: 'Receives events from the logstash output of another pipeline, process or host.',
  description: [
    'Batches come as JSON over HTTP. One is answered when its events are safe: on stable storage where the queue of the',
    'pipeline is persisted, delivered by the outputs where it is in memory. The sender sends again what was not, so that',
    'events may arrive twice but are not lost. Those of another node that have names keep them, so that a store holds them',
    'once. The input has no codec of its own.',
  ].join('\n'),
  codec: 'json_lines',
  options: {
    ...listenOptionsAt(9800),
    username: option.string({ doc: 'Name that senders have to give; needs `password`.' }),
    password: option.password({ doc: 'Password that senders have to give; needs `username`.' }),
    ssl_enabled: option.boolean({
      default: true,
      doc: 'Whether to serve https; without it no other `ssl_` option may be given.',
    }),
    ssl_certificate: serverCertificate,
    ssl_key: serverKeyOptions.ssl_key,
    ...serverTlsOptions('sender'),
    ssl_handshake_timeout: option.number({
      doc: 'Milliseconds a sender has for the TLS handshake; 10000 unless given.',
    }),
    ssl_keystore_path: option.path({
      doc: 'File with certificate and key in PKCS#12 format, instead of `ssl_certificate` and `ssl_key`.',
    }),
    ssl_keystore_password: option.password({ doc: 'Password of the key store.' }),
  },
  concerns: (options) => startConcern('ssl_enabled', () => listenerOptions(options)),
  reader: ({ codec, decorate }) => namedReader(codec, decorate),
  create({ options, codecName, logger, abort }) {
    let listener: InputInstance | undefined
    return {
      async register() {
        if (codecName !== 'json_lines')
          throw new Error('The `logstash` input does not have an externally-configurable `codec`')
        const given = listenerOptions(options)
        if (options.username !== undefined && !options.ssl_enabled)
          logger.warn('HTTP Basic Auth over non-secured connection')
        listener = httpListener({ options: given, ecs: 'disabled', logger, abort, origin: {}, factsOf })
        await listener.register?.()
      },
      run: (sink) => listener!.run(sink),
      stop: () => listener?.stop(),
      close: () => listener?.close?.(),
    }
  },
})
