/**
 * Receives events from Elastic Serverless Forwarder, which posts JSON lines over HTTP. Events come as they were sent:
 * nothing about the request or the client is added to them.
 */
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type InputInstance, oldName, option } from '../../plugin/define.ts'
import { listenOptions } from '../receiving/listen-options.ts'
import { serverCertificate, serverKeyOptions, serverTlsOptions } from '../tls/server-options.ts'
import { httpListener } from './http/listener.ts'
import { listenerOptions } from './logstash/listener-options.ts'

export default defineInput({
  name: 'elastic_serverless_forwarder',
  summary: 'Receives events from Elastic Serverless Forwarder over HTTP or HTTPS.',
  description: [
    'A request is answered when its events are safe: on stable storage where the queue of the pipeline is persisted,',
    'delivered by the outputs where it is in memory. The sender sends again what was not. The input has no codec of its',
    'own: bodies are JSON lines.',
  ].join('\n'),
  codec: 'json_lines',
  options: {
    ...listenOptions,
    auth_basic_username: option.string({
      doc: 'Name that senders have to give; needs `auth_basic_password`.',
    }),
    auth_basic_password: option.password({
      doc: 'Password that senders have to give; needs `auth_basic_username`.',
    }),
    ssl_enabled: option.boolean({
      default: true,
      doc: 'Whether to serve https; without it no other `ssl_` option may be given.',
      aliases: ['ssl'],
    }),
    ssl: option.boolean(oldName('ssl_enabled')),
    ssl_certificate: serverCertificate,
    ssl_key: serverKeyOptions.ssl_key,
    ...serverTlsOptions('sender'),
    ssl_verification_mode: option.oneOf(['certificate'] as const, {
      default: 'certificate',
      doc: 'How certificates of senders are checked; there is one way.',
    }),
  },
  concerns: (options) => startConcern('ssl_enabled', () => asListener(options)),
  create({ options, codecName, logger, abort }) {
    let listener: InputInstance | undefined
    return {
      async register() {
        if (codecName !== 'json_lines')
          throw new Error(
            'The `elastic_serverless_forwarder` input does not have an externally-configurable `codec`',
          )
        listener = httpListener({
          options: asListener(options),
          ecs: 'disabled',
          logger,
          abort,
          origin: {},
        })
        await listener.register?.()
      },
      run: (sink) => listener!.run(sink),
      stop: () => listener?.stop(),
      close: () => listener?.close?.(),
    }
  },
})

type Given = Omit<
  Parameters<typeof listenerOptions>[0],
  'username' | 'password' | 'ssl_keystore_path' | 'ssl_keystore_password'
> & {
  readonly auth_basic_username: string | undefined
  readonly auth_basic_password: Parameters<typeof listenerOptions>[0]['password']
}

function asListener(given: Given): ReturnType<typeof listenerOptions> {
  const { auth_basic_username: username, auth_basic_password: password } = given
  if ((username === undefined) !== (password === undefined))
    throw new Error(
      username === undefined
        ? '`auth_basic_password` not allowed unless `auth_basic_username` is configured'
        : '`auth_basic_password` is REQUIRED when `auth_basic_username` is provided',
    )
  return listenerOptions({
    host: given.host,
    port: given.port,
    username,
    password,
    ssl_enabled: given.ssl_enabled,
    ssl_certificate: given.ssl_certificate,
    ssl_key: given.ssl_key,
    ssl_key_passphrase: given.ssl_key_passphrase,
    ssl_keystore_path: undefined,
    ssl_keystore_password: undefined,
    ssl_certificate_authorities: given.ssl_certificate_authorities,
    ssl_client_authentication: given.ssl_client_authentication,
    ssl_handshake_timeout: given.ssl_enabled ? given.ssl_handshake_timeout : undefined,
    ssl_cipher_suites: given.ssl_cipher_suites,
    ssl_supported_protocols: given.ssl_supported_protocols,
  })
}
