/** The graphite output: numbers of events as metrics, one line each, over a connection that is kept. */
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { encodeBlock } from '../../plugin/encode-buffer.ts'
import { serverOptions } from '../delivery/server-address.ts'
import { TcpClient } from '../delivery/tcp-client.ts'
import { compileGraphiteLines, graphiteOptions } from '../graphite/lines.ts'

export default defineOutput({
  name: 'graphite',
  summary: 'Sends numbers to Graphite.',
  options: {
    ...serverOptions(2003, 'the Graphite server'),
    reconnect_interval: option.number({ default: 2, doc: 'Seconds to wait before connecting again.' }),
    resend_on_failure: option.boolean(withoutEffect('what was not sent is always sent again.', false)),
    ...graphiteOptions,
    metrics_format: option.string({
      default: '*',
      doc: 'Form of the names, with `%{…}`; the star stands for the name of the metric.',
    }),
    nested_object_separator: option.string({
      default: '.',
      doc: 'What joins the names of nested fields.',
    }),
    timestamp_field: option.string({ default: '@timestamp', doc: 'Field with the time of the metrics.' }),
  },
  concurrency: 'single',
  create({ options, compile, abort, logger }) {
    const lines = compileGraphiteLines(options, compile, logger)
    const { host, port } = options
    let client: TcpClient | undefined
    return {
      register() {
        client = new TcpClient({
          host,
          port,
          tls: undefined,
          reconnectMilliseconds: Math.max(10, options.reconnect_interval * 1000),
          logger,
          signal: abort,
        })
      },
      encode: (events) => [encodeBlock(events, (event) => lines(event).join(''), `${host}:${port}`)],
      async write(blocks) {
        for (const { bytes } of blocks) if (bytes.length > 0) await client?.send(bytes)
      },
      close: () => client?.close(),
    }
  },
})
