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
const abandoned = 'it was given up by its authors years ago'

const reasons: Readonly<Record<PluginType, Readonly<Record<string, string>>>> = {
  input: {
    drupal_dblog: `${abandoned}; read the table with the \`jdbc\` input`,
    eventlog: 'it needs Windows interfaces of JRuby; use Winlogbeat and the `beats` input',
    gemfire: abandoned,
    irc: chat,
    jmx: 'it needs a JVM; expose the beans over HTTP (Jolokia) and use `http_poller`',
    journald: `${abandoned}; use Filebeat or Journalbeat and the \`beats\` input`,
    log4j: javaObjects,
    log4j2: javaObjects,
    orasql: ownPlugin,
    puppet_facter: abandoned,
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
    checksum: 'it has been replaced by `fingerprint`',
    nova_scheduler_states: ownPlugin,
    opnsensefilter: ownPlugin,
    punct: 'it has been replaced by `fingerprint` with `method => "PUNCTUATION"`',
    railsroutes: ownPlugin,
    sanitize_mac: ownPlugin,
    sip: ownPlugin,
    virustotal: `${abandoned}; ask the service with the \`http\` filter`,
    zeromq: abandoned,
  },
  output: {
    boundary: closed,
    circonus: abandoned,
    coralogix: 'it belongs to one vendor; the service takes events from the `http` output',
    elasticsearch_groom: `${abandoned}; let index lifecycle management delete old indices`,
    elasticsearch_river: 'rivers were removed in Elasticsearch 2; use the `elasticsearch` output',
    gemfire: abandoned,
    hipchat: closed,
    irc: chat,
    juggernaut: abandoned,
    librato: closed,
    metriccatcher: `${abandoned}; use \`statsd\``,
    rados: abandoned,
    riemann: abandoned,
    solr_http: `${abandoned}; send JSON to Solr's update handler with the \`http\` output`,
    stomp: abandoned,
    websocket: abandoned,
    xmpp: chat,
    zeromq: abandoned,
  },
  codec: {
    compress_spooler: abandoned,
    oldlogstashjson: 'it is the event format of Logstash 1.1; use `json` and rename the fields',
  },
}

/** Undefined for plugins that exist, may come, or nobody knows. */
export function neverSupported(type: PluginType, name: string): string | undefined {
  return Object.hasOwn(reasons[type], name) ? reasons[type][name] : undefined
}
