/**
 * The built-in plugins, by type and name. Each is loaded when a configuration names it, so a start
 * costs only what the configuration uses; the codecs that are the default of others are always there.
 */
import type { PluginDefinition, PluginType } from '../plugin/define.ts'
import type { PluginSource } from '../plugin/registry.ts'
import json from './codecs/json.ts'
import jsonLines from './codecs/json-lines.ts'
import line from './codecs/line.ts'
import plain from './codecs/plain.ts'

type Load = () => { default: PluginDefinition } | Promise<{ default: PluginDefinition }>

const inputs: Record<string, Load> = {
  amqp: () => import('./inputs/amqp.ts'),
  beats: () => import('./inputs/beats.ts'),
  dead_letter_queue: () => import('./inputs/dead-letter-queue.ts'),
  elastic_agent: () => import('./inputs/elastic-agent.ts'),
  elasticsearch: () => import('./inputs/elasticsearch.ts'),
  exec: () => import('./inputs/exec.ts'),
  file: () => import('./inputs/file.ts'),
  generator: () => import('./inputs/generator.ts'),
  heartbeat: () => import('./inputs/heartbeat.ts'),
  http: () => import('./inputs/http.ts'),
  http_poller: () => import('./inputs/http-poller.ts'),
  jdbc: () => import('./inputs/jdbc.ts'),
  kafka: () => import('./inputs/kafka.ts'),
  lumberjack: () => import('./inputs/lumberjack.ts'),
  pipe: () => import('./inputs/pipe.ts'),
  pipeline: () => import('./inputs/pipeline.ts'),
  rabbitmq: () => import('./inputs/rabbitmq.ts'),
  redis: () => import('./inputs/redis.ts'),
  stdin: () => import('./inputs/stdin.ts'),
  syslog: () => import('./inputs/syslog.ts'),
  tcp: () => import('./inputs/tcp.ts'),
  udp: () => import('./inputs/udp.ts'),
  unix: () => import('./inputs/unix.ts'),
}

const filters: Record<string, Load> = {
  aggregate: () => import('./filters/aggregate.ts'),
  alter: () => import('./filters/alter.ts'),
  anonymize: () => import('./filters/anonymize.ts'),
  bytes: () => import('./filters/bytes.ts'),
  cidr: () => import('./filters/cidr.ts'),
  clone: () => import('./filters/clone.ts'),
  csv: () => import('./filters/csv.ts'),
  date: () => import('./filters/date.ts'),
  de_dot: () => import('./filters/de-dot.ts'),
  dissect: () => import('./filters/dissect.ts'),
  dns: () => import('./filters/dns.ts'),
  drop: () => import('./filters/drop.ts'),
  elapsed: () => import('./filters/elapsed.ts'),
  elasticsearch: () => import('./filters/elasticsearch.ts'),
  environment: () => import('./filters/environment.ts'),
  fingerprint: () => import('./filters/fingerprint.ts'),
  geoip: () => import('./filters/geoip.ts'),
  grok: () => import('./filters/grok.ts'),
  http: () => import('./filters/http.ts'),
  jdbc_static: () => import('./filters/jdbc-static.ts'),
  jdbc_streaming: () => import('./filters/jdbc-streaming.ts'),
  json: () => import('./filters/json.ts'),
  json_encode: () => import('./filters/json-encode.ts'),
  kv: () => import('./filters/kv.ts'),
  logfmt: () => import('./filters/logfmt.ts'),
  memcached: () => import('./filters/memcached.ts'),
  metrics: () => import('./filters/metrics.ts'),
  multiline: () => import('./filters/multiline.ts'),
  mutate: () => import('./filters/mutate.ts'),
  noop: () => import('./filters/noop.ts'),
  prune: () => import('./filters/prune.ts'),
  rest: () => import('./filters/rest.ts'),
  ruby: () => import('./filters/ruby.ts'),
  sleep: () => import('./filters/sleep.ts'),
  split: () => import('./filters/split.ts'),
  syslog_pri: () => import('./filters/syslog-pri.ts'),
  throttle: () => import('./filters/throttle.ts'),
  tld: () => import('./filters/tld.ts'),
  translate: () => import('./filters/translate.ts'),
  truncate: () => import('./filters/truncate.ts'),
  urldecode: () => import('./filters/urldecode.ts'),
  useragent: () => import('./filters/useragent.ts'),
  uuid: () => import('./filters/uuid.ts'),
  xml: () => import('./filters/xml.ts'),
}

const outputs: Record<string, Load> = {
  amqp: () => import('./outputs/amqp.ts'),
  csv: () => import('./outputs/csv.ts'),
  datadog: () => import('./outputs/datadog.ts'),
  datadog_metrics: () => import('./outputs/datadog-metrics.ts'),
  elasticsearch: () => import('./outputs/elasticsearch.ts'),
  elasticsearch_http: () => import('./outputs/elasticsearch-http.ts'),
  email: () => import('./outputs/email.ts'),
  exec: () => import('./outputs/exec.ts'),
  file: () => import('./outputs/file.ts'),
  graphite: () => import('./outputs/graphite.ts'),
  http: () => import('./outputs/http.ts'),
  influxdb: () => import('./outputs/influxdb.ts'),
  jdbc: () => import('./outputs/jdbc.ts'),
  kafka: () => import('./outputs/kafka.ts'),
  loki: () => import('./outputs/loki.ts'),
  lumberjack: () => import('./outputs/lumberjack.ts'),
  millrace: () => import('./outputs/millrace.ts'),
  mongodb: () => import('./outputs/mongodb.ts'),
  nagios: () => import('./outputs/nagios.ts'),
  nagios_nsca: () => import('./outputs/nagios-nsca.ts'),
  null: () => import('./outputs/null.ts'),
  opensearch: () => import('./outputs/opensearch.ts'),
  pipe: () => import('./outputs/pipe.ts'),
  pipeline: () => import('./outputs/pipeline.ts'),
  rabbitmq: () => import('./outputs/rabbitmq.ts'),
  redis: () => import('./outputs/redis.ts'),
  sink: () => import('./outputs/sink.ts'),
  statsd: () => import('./outputs/statsd.ts'),
  stdout: () => import('./outputs/stdout.ts'),
  syslog: () => import('./outputs/syslog.ts'),
  tcp: () => import('./outputs/tcp.ts'),
  udp: () => import('./outputs/udp.ts'),
  webhdfs: () => import('./outputs/webhdfs.ts'),
  zabbix: () => import('./outputs/zabbix.ts'),
}

const codecs: Record<string, Load> = {
  avro: () => import('./codecs/avro.ts'),
  cef: () => import('./codecs/cef.ts'),
  collectd: () => import('./codecs/collectd.ts'),
  csv: () => import('./codecs/csv.ts'),
  dots: () => import('./codecs/dots.ts'),
  edn: () => import('./codecs/edn.ts'),
  edn_lines: () => import('./codecs/edn-lines.ts'),
  es_bulk: () => import('./codecs/es-bulk.ts'),
  fluent: () => import('./codecs/fluent.ts'),
  graphite: () => import('./codecs/graphite.ts'),
  gzip_lines: () => import('./codecs/gzip-lines.ts'),
  json: () => ({ default: json }),
  json_lines: () => ({ default: jsonLines }),
  line: () => ({ default: line }),
  msgpack: () => import('./codecs/msgpack.ts'),
  multiline: () => import('./codecs/multiline.ts'),
  netflow: () => import('./codecs/netflow.ts'),
  nmap: () => import('./codecs/nmap.ts'),
  plain: () => ({ default: plain }),
  rubydebug: () => import('./codecs/rubydebug.ts'),
}

const tables: Record<PluginType, Record<string, Load>> = {
  input: inputs,
  filter: filters,
  output: outputs,
  codec: codecs,
}

export const catalogue: PluginSource = {
  names: (type) => Object.keys(tables[type]),
  load: async (type, name) => {
    const table = tables[type]
    return Object.hasOwn(table, name) ? (await table[name]!()).default : undefined
  },
}
