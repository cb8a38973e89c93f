/**
 * Options that configurations in public repositories use, by plugin, whatever their age: each is known and takes a
 * value of its kind. What Logstash has renamed or dropped is accepted with one line of advice. The options that
 * every plugin of a type has are tried out on each plugin here; what an option of a plugin's own does is tested
 * beside the plugin.
 */
import { describe, expect, it } from 'vitest'
import { allOptions } from '../plugin/common-options.ts'
import type { EcsCompatibility, PluginDefinition, PluginType } from '../plugin/define.ts'
import type { Option } from '../plugin/option.ts'
import {
  codecFor,
  filterFor,
  inputFor,
  outputFor,
  rawOptions,
  type TestOptions,
  testEvent,
  validOptions,
} from '../plugin/testing.ts'
import { validateOptions } from '../plugin/validate.ts'
import { catalogue } from './catalogue.ts'
import { requiredOptions, sample } from './test-options.ts'

const used: Readonly<Record<PluginType, Readonly<Record<string, string>>>> = {
  input: {
    file:
      'add_field close_older codec discover_interval ecs_compatibility exclude ' +
      'file_completed_action file_completed_log_path format id ignore_older max_open_files mode ' +
      'path sincedb_path start_position stat_interval tags type',
    tcp:
      'add_field codec dns_reverse_lookup_enabled ecs_compatibility host id port proxy_protocol ' +
      'ssl_cert ssl_enable ssl_enabled ssl_extra_chain_certs ssl_key ssl_verify tags tcp_keep_alive ' +
      'type',
    beats:
      'client_inactivity_timeout codec congestion_threshold host id include_codec_tag port ssl ' +
      'ssl_certificate ssl_certificate_authorities ssl_client_authentication ssl_enabled ' +
      'ssl_handshake_timeout ssl_key ssl_verify_mode tags tls_min_version type',
    udp:
      'add_field buffer_size codec ecs_compatibility host id port queue_size receive_buffer_bytes ' +
      'source_ip_fieldname tags type workers',
    syslog:
      'add_field codec ecs_compatibility facility_labels grok_pattern host id port severity_labels ' +
      'syslog_field tags timezone type use_labels',
    http:
      'add_field additional_codecs codec ecs_compatibility host id password port ' +
      'remote_host_target_field request_headers_target_field ssl ssl_certificate ' +
      'ssl_certificate_authorities ssl_key ssl_key_passphrase ssl_verify_mode user',
    kafka:
      'auto_offset_reset bootstrap_servers client_id codec consumer_threads decorate_events ' +
      'enable_auto_commit group_id id max_poll_interval_ms max_poll_records sasl_mechanism ' +
      'security_protocol ssl_key_password ssl_keystore_location ssl_keystore_password ' +
      'ssl_truststore_location ssl_truststore_password tags topic_id topics zk_connect',
    stdin: 'codec tags type',
    jdbc:
      'add_field clean_run codec jdbc_connection_string jdbc_driver_class jdbc_driver_library ' +
      'jdbc_page_size jdbc_paging_enabled jdbc_password jdbc_user last_run_metadata_path parameters ' +
      'record_last_run schedule statement statement_filepath tracking_column tracking_column_type ' +
      'type use_column_value',
    lumberjack: 'format port ssl_certificate ssl_key tags type',
    redis: 'codec data_type host key port tags type',
    pipeline: 'address',
    heartbeat: 'add_field interval message type',
    generator: 'count lines message type',
    pipe: 'command type',
    http_poller:
      'codec connect_timeout metadata_target request_timeout schedule socket_timeout tags type urls',
  },
  filter: {
    mutate:
      'add_field add_tag capitalize convert copy gsub id join lowercase merge remove_field ' +
      'remove_tag rename replace split strip tag_on_failure type update uppercase',
    grok:
      'add_field add_tag break_on_match ecs_compatibility id keep_empty_captures match ' +
      'named_captures_only overwrite pattern pattern_definitions patterns_dir remove_field ' +
      'remove_tag singles tag_on_failure tag_on_timeout timeout_millis type',
    date: 'add_field add_tag id locale match remove_field tag_on_failure target timestamp timezone type',
    geoip:
      'add_field add_tag cache_size database default_database_type ecs_compatibility field fields ' +
      'id remove_field source tag_on_failure target type',
    ruby:
      'add_field add_tag code id init path remove_field script_params tag_on_exception ' +
      'tag_with_exception_message',
    json:
      'add_field add_tag ecs_compatibility id remove_field remove_tag skip_on_invalid_json source ' +
      'tag_on_failure target',
    drop: 'id percentage',
    csv:
      'add_field add_tag autodetect_column_names autogenerate_column_names columns convert id ' +
      'quote_char remove_field separator skip_empty_columns skip_empty_rows skip_header source ' +
      'target',
    useragent: 'add_field ecs_compatibility id lru_cache_size prefix remove_field source target',
    kv:
      'add_tag allow_duplicate_values exclude_keys field_split field_split_pattern id include_keys ' +
      'prefix remove_char_key remove_field source tag_on_failure target timeout_millis ' +
      'transform_key trim trim_key trim_value trimkey value_split value_split_pattern whitespace',
    translate:
      'add_field destination dictionary dictionary_path exact fallback field id iterate_on override ' +
      'refresh_behaviour refresh_interval regex remove_field source target',
    syslog_pri: 'ecs_compatibility id remove_field syslog_pri_field_name',
    dns:
      'action failed_cache_size failed_cache_ttl hit_cache_size hit_cache_ttl id max_retries ' +
      'nameserver resolve reverse timeout',
    fingerprint:
      'add_field base64encode concatenate_all_fields concatenate_sources ecs_compatibility id key ' +
      'method source target',
    dissect: 'add_field add_tag id mapping remove_field tag_on_failure',
    cidr: 'add_field add_tag address address_field id network remove_tag',
    xml:
      'add_field force_array force_content remove_field remove_namespaces remove_tag source ' +
      'store_xml suppress_empty target xpath',
    split: 'add_tag field target terminator',
    multiline: 'negate pattern patterns_dir stream_identity type what',
    metrics: 'add_tag flush_interval meter',
    prune: 'blacklist_names blacklist_values id interpolate whitelist_names',
    urldecode: 'charset field id',
    tld: 'source target',
    clone: 'add_field clones id remove_field',
    json_encode: 'source target',
    rest: 'json request sprintf target',
    http: 'body body_format target_body target_headers url verb',
    elapsed: 'end_tag new_event_on_match start_tag timeout unique_id_field',
    alter: 'coalesce condrewriteother remove_field',
    logfmt: 'id source target',
  },
  output: {
    elasticsearch:
      'action cacert document_id document_type embedded host hosts http_compression ilm_enabled ' +
      'index manage_template password pipeline protocol sniffing ssl ssl_certificate_verification ' +
      'template template_name template_overwrite user workers',
    stdout: 'codec debug',
    file: 'codec message_format path write_behavior',
    kafka:
      'bootstrap_servers codec compression_type jaas_path sasl_mechanism security_protocol ' +
      'ssl_truststore_location ssl_truststore_password topic_id',
    opensearch:
      'action doc_as_upsert document_id hosts index manage_template password ssl ' +
      'ssl_certificate_verification user',
    http:
      'codec connect_timeout content_type format headers http_compression http_method id message ' +
      'retry_failed socket_timeout ssl_certificate_authorities ssl_verification_mode url',
    pipeline: 'id send_to',
    elasticsearch_http: 'flush_size host idle_flush_time index manage_template port workers',
    syslog: 'appname codec host port protocol rfc',
    redis: 'batch data_type host key',
    tcp: 'codec host port',
    statsd: 'count host increment namespace port timing type',
  },
  codec: {
    rubydebug: 'metadata',
    json: 'charset target',
    plain: 'charset format',
    multiline: 'charset negate pattern patterns_dir what',
    line: 'charset format',
    netflow: 'include_flowset_id ipfix_definitions netflow_definitions target versions',
  },
}

const types: readonly PluginType[] = ['input', 'filter', 'output', 'codec']
const all = await Promise.all(
  types.flatMap((type) => catalogue.names(type).map(async (name) => (await catalogue.load(type, name))!)),
)
const find = (type: PluginType, name: string) =>
  all.find((definition) => definition.type === type && definition.name === name)!
const pairs: readonly Pair[] = types.flatMap((type) =>
  Object.entries(used[type]).flatMap(([name, options]) =>
    options.split(' ').map((option): Pair => [type, name, option]),
  ),
)

function declarationOf(definition: PluginDefinition, name: string): Option<unknown> | undefined {
  const table = Object.entries(allOptions(definition))
  const current =
    table.find(([, { aliases }]) => aliases.includes(name)) ?? table.find(([key]) => key === name)
  return current?.[1]
}

type Pair = readonly [PluginType, string, string]

function refusesHashes([type, name, option]: Pair): boolean {
  return !['hash', 'array', 'any'].includes(declarationOf(find(type, name), option)!.kind)
}

describe('options in use', () => {
  it.each(pairs)('%s %s: %s is taken', (type, name, option) => {
    const definition = find(type, name)
    const declared = declarationOf(definition, option)
    expect(declared).toBeDefined()
    const given = rawOptions({ [option]: sample(declared!) })
    const { problems } = validateOptions(definition, given, { ecs: 'disabled' })
    // Others may be missing.
    expect(problems.filter((problem) => problem.option === option)).toEqual([])
  })

  it.each(pairs.filter(refusesHashes))('%s %s: %s has a kind', (type, name, option) => {
    const given = rawOptions({ [option]: { x: [] } })
    const { problems } = validateOptions(find(type, name), given, { ecs: 'disabled' })
    expect(problems.filter((problem) => problem.option === option).map(({ code }) => code)).toEqual([
      'invalid_option',
    ])
  })

  it('the filter http has no request: that is an option of rest', () => {
    const given = rawOptions({ request: { url: 'http://a' } })
    const { problems } = validateOptions(find('filter', 'http'), given, { ecs: 'v8' })
    expect(problems[0]?.message).toBe("Unknown setting 'request' for http")
  })
})

/** The ECS compatibility a plugin is created with. */
function ecsOf(definition: PluginDefinition, options: TestOptions): EcsCompatibility {
  let seen: EcsCompatibility = 'disabled'
  const watched = {
    ...definition,
    create(context: { ecs: EcsCompatibility }) {
      seen = context.ecs
      return definition.create(context as never)
    },
  } as PluginDefinition
  if (watched.type === 'input') inputFor(watched, options)
  else if (watched.type === 'filter') filterFor(watched, options)
  else if (watched.type === 'output') outputFor(watched, options)
  else codecFor(watched, options)
  return seen
}

describe.each(all)('$type $name', (definition) => {
  const required = requiredOptions(definition)

  it('has an id and a choice of field names of its own', () => {
    expect(validOptions(definition, { ...required, id: 'mine' })['id']).toBe('mine')
    expect(ecsOf(definition, required)).toBe('disabled')
    expect(ecsOf(definition, { ...required, ecs_compatibility: 'v8' })).toBe('v8')
  })
})

describe.each(all.flatMap((one) => (one.type === 'input' ? [one] : [])))('input $name', (definition) => {
  const required = requiredOptions(definition)

  it('decorates with type, add_field and tags', () => {
    const options = { ...required, type: 't', add_field: { from: '%{type}' }, tags: ['one', 'two'] }
    const { decorate } = inputFor(definition, options)
    const fresh = testEvent({})
    const typed = testEvent({ type: 'own', tags: ['zero'] })
    for (const event of [fresh, typed]) decorate!(event)
    const shown = [fresh, typed].map((event) => ['type', 'from', 'tags'].map((name) => event.get(name)))
    expect(shown).toEqual([
      ['t', 't', ['one', 'two']],
      ['own', 'own', ['zero', 'one', 'two']],
    ])
  })

  it('takes a codec', () => {
    expect(inputFor(definition, { ...required, codec: 'dots' }).codecName).toBe('dots')
    const { codecName } = inputFor(definition, { ...required, codec: 'json' })
    expect(codecName).toBe(definition.streaming ? 'json_lines' : 'json')
  })

  it.runIf(allOptions(definition)['format']?.removed)('takes the old format for a codec', () => {
    const { codecName } = inputFor(definition, { ...required, format: 'json_event' })
    expect(codecName).toBe(definition.streaming ? 'json_lines' : 'json')
  })
})

describe.each(all.flatMap((one) => (one.type === 'output' ? [one] : [])))('output $name', (definition) => {
  it('takes a codec', () => {
    const options = { ...requiredOptions(definition), codec: 'dots' }
    expect(outputFor(definition, options).codecName).toBe('dots')
  })
})
