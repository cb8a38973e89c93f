// What the cases share whose events are JSON lines over TCP. The peer's name is not looked up, so `host` is 127.0.0.1
// everywhere; its port differs from run to run and is volatile.
export const jsonOverTcp = {
  data: 'json-logs',
  feed: 'tcp',
  digest: { kind: 'json-lines', volatile: ['@timestamp', 'port'] },
}

export const tcpSource = ({ port }) => `input {
  tcp { host => "127.0.0.1" port => ${port} codec => json_lines dns_reverse_lookup_enabled => false }
}
`
