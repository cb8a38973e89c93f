/**
 * Options of the elasticsearch and opensearch outputs that say what becomes of an event. Those without a
 * declared default must show whether they were given: any of them keeps an output from writing to a data
 * stream by itself.
 */
import { option } from '../../../plugin/define.ts'

const unused = 'It is no longer used.'
const accepted = 'Accepted for compatibility; without effect.'

export const indexingOptions = {
  index: option.string({
    doc: 'Index to write to; may contain `%{…}`. `logstash-%{+yyyy.MM.dd}` unless given, in ECS mode `ecs-logstash-…`.',
  }),
  action: option.string({
    doc: 'What to do with events: `index`, `create`, `update` or `delete`; may contain `%{…}`. `index` unless given.',
  }),
  document_id: option.string({
    doc: 'ID of the document; may contain `%{…}`. With one, an event that is sent twice is stored once.',
  }),
  document_type: option.string({
    deprecated: 'Document types are being deprecated in Elasticsearch 6.0, and removed entirely in 7.0.',
    doc: 'Type of the document, for clusters that still have types; may contain `%{…}`.',
  }),
  routing: option.string({ doc: 'Routing value; may contain `%{…}`.' }),
  parent: option.string({ doc: 'ID of the parent of a child document; may contain `%{…}`.' }),
  join_field: option.string({ doc: 'Field of the join type that tells parents and children apart.' }),
  version: option.string({ doc: 'Version of the document; may contain `%{…}`.' }),
  version_type: option.oneOf(['internal', 'external', 'external_gt', 'external_gte', 'force'], {
    doc: 'How versions are compared.',
  }),
  pipeline: option.string({ doc: 'Ingest pipeline; may contain `%{…}`, an empty text means none.' }),
  doc_as_upsert: option.boolean({
    doc: 'For `update`: create the document of the event if there is none.',
  }),
  upsert: option.string({
    doc: 'For `update`: JSON of the document to create if there is none; may contain `%{…}`.',
  }),
  script: option.string({ doc: 'For `update`: the script that changes the document; may contain `%{…}`.' }),
  script_type: option.oneOf(['inline', 'indexed', 'file'], {
    doc: 'Whether `script` is the script itself, or the name of one that is stored; `inline` unless given.',
  }),
  script_lang: option.string({ doc: 'Language of the script; `painless` unless given.' }),
  script_var_name: option.string({
    doc: 'Name of the parameter that holds the event for the script; `event` unless given.',
  }),
  scripted_upsert: option.boolean({ doc: 'For `update`: the script creates the document too.' }),
  retry_on_conflict: option.number({
    doc: 'For `update`: how often the cluster tries again after a conflict; 1 unless given.',
  }),
  data_stream: option.oneOf(['true', 'false', 'auto'], {
    default: 'auto',
    doc: 'Whether to write to data streams; `auto` does in ECS mode when no option speaks against it.',
  }),
  data_stream_type: option.oneOf(['logs', 'metrics', 'synthetics', 'traces'], {
    doc: 'First part of the name of the data stream; `logs` unless given.',
  }),
  data_stream_dataset: option.string({
    doc: 'Second part of the name of the data stream; `generic` unless given.',
  }),
  data_stream_namespace: option.string({
    doc: 'Third part of the name of the data stream; `default` unless given.',
  }),
  data_stream_auto_routing: option.boolean({
    doc: 'Whether the fields `data_stream.*` of an event name its data stream; true unless given.',
  }),
  data_stream_sync_fields: option.boolean({
    doc: 'Whether to write the parts of the name into the fields `data_stream.*`; true unless given.',
  }),
  manage_template: option.boolean({ doc: 'Whether to install an index template; true unless given.' }),
  template: option.path({ doc: 'File with the index template to install, JSON.' }),
  template_name: option.string({
    doc: 'Name of the index template; `logstash`, in ECS mode `ecs-logstash`.',
  }),
  template_overwrite: option.boolean({ doc: 'Whether to replace a template that is there already.' }),
  template_api: option.oneOf(['auto', 'legacy', 'composable'], {
    doc: 'Kind of the index template; by the version of the cluster unless given.',
  }),
  legacy_template: option.boolean({ doc: 'Whether to install a template of the older kind.' }),
  ilm_enabled: option.oneOf(['true', 'false', 'auto'], {
    doc: 'Whether to write to an alias under index lifecycle management; `auto` does when `ilm_rollover_alias` is given.',
  }),
  ilm_rollover_alias: option.string({ doc: 'The alias; `logstash`, in ECS mode `ecs-logstash`.' }),
  ilm_pattern: option.string({ doc: 'End of the names of the indices; `{now/d}-000001` unless given.' }),
  ilm_policy: option.string({ doc: 'Name of the lifecycle policy; `logstash-policy` unless given.' }),
  protocol: option.string({ removed: unused, doc: accepted }),
  cluster: option.string({ removed: unused, doc: accepted }),
  embedded: option.boolean({ removed: unused, doc: accepted }),
  node_name: option.string({ removed: unused, doc: accepted }),
  bind_host: option.string({ removed: unused, doc: accepted }),
  bind_port: option.string({ removed: unused, doc: accepted }),
  flush_size: option.number({ removed: 'Set `pipeline.batch.size` instead.', doc: accepted }),
  idle_flush_time: option.number({ removed: 'Set `pipeline.batch.delay` instead.', doc: accepted }),
  index_type: option.string({ removed: unused, doc: accepted }),
  max_inflight_requests: option.number({ removed: unused, doc: accepted }),
  max_retries: option.number({ removed: unused, doc: accepted }),
  replication: option.string({ removed: unused, doc: accepted }),
}
