// JSON lines over TCP into bulk requests, nothing changed on the way: the plain cost of shipping to a cluster. The
// sink on the loopback interface is a process of its own, and its CPU time is nobody's.
import { throughputCase } from '../throughput.mjs'
import { jsonOverTcp, tcpSource } from './json-over-tcp.mjs'

export default throughputCase({
  id: 'json-bulk',
  title: 'JSON lines over TCP to bulk requests of the elasticsearch output',
  events: 1_000_000,
  ...jsonOverTcp,
  output: 'bulk-sink',
  config: (place) => `${tcpSource(place)}output {
  elasticsearch { hosts => ["127.0.0.1:${place.sinkPort}"] manage_template => false compression_level => 0 }
}
`,
  limit: ({ port, sinkPort }) => ['tcp-json-bulk.mjs', port, sinkPort],
})
