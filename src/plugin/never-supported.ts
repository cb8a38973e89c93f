/**
 * Plugins of Logstash, or of others for it, that will not exist here, and why: the config check and the doctor
 * say so instead of "not installed". What merely does not exist yet is not listed.
 */
import type { PluginType } from './define.ts'

const javaObjects =
  'it reads serialised Java objects, which takes a JVM; let the application write JSON lines to a `tcp` input'
const closed = 'the service it talks to has been shut down'
const ownPlugin =
  'it was written for one site and never published; write it as `ruby` filter or as plugin of your own (--path.plugins)'
const chat = 'chat rooms are no transport for logs'
const inJava = (name: string) => `it is the copy of \`${name}\` that Logstash has in Java; use \`${name}\``
const retired = 'the product it talks to is no longer made'
const ticket = 'open tickets with the `http` output and the API of the tracker'
const abandoned = 'it was given up by its authors years ago'

const reasons: Readonly<Record<PluginType, Readonly<Record<string, string>>>> = {
  input: {
    drupal_dblog: `${abandoned}; read the table with the \`jdbc\` input`,
    eventlog: 'it needs Windows interfaces of JRuby; use Winlogbeat and the `beats` input',
    gemfire: abandoned,
    irc: chat,
    java_generator: inJava('generator'),
    java_stdin: inJava('stdin'),
    jms: 'it needs the JMS library of a broker, which takes a JVM; use `kafka`, `rabbitmq` or the HTTP API of the broker',
    jmx: 'it needs a JVM; expose the beans over HTTP (Jolokia) and use `http_poller`',
    journald: `${abandoned}; use Filebeat or Journalbeat and the \`beats\` input`,
    log4j: javaObjects,
    log4j2: javaObjects,
    meetup: 'the API it used has been closed',
    neo4j: abandoned,
    orasql: ownPlugin,
    puppet_facter: abandoned,
    rss: 'fetch the feed with `http_poller` and take it apart with the `xml` filter',
    salesforce: 'it needs the Ruby client of one vendor; ask its REST API with `http_poller`',
    sqlite: 'it reads one file its own way; use `jdbc` with `jdbc:sqlite:/path/to/file`',
    stomp: abandoned,
    twitter: 'the streaming API it used has been closed',
    varnishlog: `${abandoned}; pipe varnishncsa into \`stdin\` or \`exec\``,
    websocket: abandoned,
    wmi: 'it needs Windows interfaces of JRuby; use Metricbeat and the `beats` input',
    xmpp: chat,
    zenoss: abandoned,
    zeromq: abandoned,
  },
  filter: {
    accesswatch: closed,
    checksum: 'it has been replaced by `fingerprint`',
    collate: abandoned,
    elastic_integration:
      'it runs ingest pipelines of Elasticsearch inside Logstash, which takes a JVM; name the pipeline in the option `pipeline` of the `elasticsearch` output',
    i18n: 'it has been given up; use `ruby` with `unicode_normalize`',
    java_uuid: inJava('uuid'),
    nova_scheduler_states: ownPlugin,
    opnsensefilter: ownPlugin,
    oui: `${abandoned}; look prefixes of MAC addresses up with \`translate\``,
    punct: 'it has been replaced by `fingerprint` with `method => "PUNCTUATION"`',
    railsroutes: ownPlugin,
    sanitize_mac: ownPlugin,
    sip: ownPlugin,
    threats_classifier: closed,
    virustotal: `${abandoned}; ask the service with the \`http\` filter`,
    wurfl_device_detection: 'it needs the licensed database of one vendor; use `useragent`',
    zeromq: abandoned,
  },
  output: {
    amazon_es: 'it has been replaced by the `opensearch` output',
    application_insights:
      'it has been given up by its vendor; send to the ingestion API with the `http` output',
    boundary: closed,
    circonus: abandoned,
    clickhouse: 'send to the HTTP interface of ClickHouse with the `http` output, `JSONEachRow` as format',
    coralogix: 'it belongs to one vendor; the service takes events from the `http` output',
    elastic_app_search: `${retired}; use the \`elasticsearch\` output`,
    elastic_workplace_search: `${retired}; use the \`elasticsearch\` output`,
    elasticsearch_groom: `${abandoned}; let index lifecycle management delete old indices`,
    elasticsearch_river: 'rivers were removed in Elasticsearch 2; use the `elasticsearch` output',
    gemfire: abandoned,
    hipchat: closed,
    icinga: 'send to the API of Icinga with the `http` output',
    irc: chat,
    java_stdout: inJava('stdout'),
    jira: ticket,
    jms: 'it needs the JMS library of a broker, which takes a JVM; use `kafka`, `rabbitmq` or the `http` output',
    juggernaut: abandoned,
    librato: closed,
    metriccatcher: `${abandoned}; use \`statsd\``,
    monasca_log_api: retired,
    newrelic: 'its API is gone; send to the log API of the vendor with the `http` output',
    pagerduty: 'send to the events API with the `http` output',
    rackspace: closed,
    rados: abandoned,
    redmine: ticket,
    riak: abandoned,
    riemann: abandoned,
    slack: 'post to the webhook of the channel with the `http` output',
    solr_http: `${abandoned}; send JSON to Solr's update handler with the \`http\` output`,
    stomp: abandoned,
    timber: closed,
    websocket: abandoned,
    xmpp: chat,
    zeromq: abandoned,
  },
  codec: {
    compress_spooler: abandoned,
    java_line: inJava('line'),
    java_plain: inJava('plain'),
    jdots: inJava('dots'),
    oldlogstashjson: 'it is the event format of Logstash 1.1; use `json` and rename the fields',
    sflow: 'it was written by one person and given up; let sflowtool write JSON into `pipe` or `tcp`',
    spool: 'it has been removed from Logstash; batches are the work of the pipeline itself',
  },
}

/** Undefined for plugins that exist, may come, or nobody knows. */
export function neverSupported(type: PluginType, name: string): string | undefined {
  return Object.hasOwn(reasons[type], name) ? reasons[type][name] : undefined
}
