/**
 * Settings of the process: where its files are, when it reloads, how it logs and ends.
 * Part of the table in definitions.ts.
 */
import { standardLimit } from '../memory/memory-limit.ts'
import type { Definition } from './definition.ts'

export const processDefinitions = {
  'node.name': {
    kind: 'string',
    default: ({ hostname }) => hostname,
    doc: 'Name of this node in the API and the logs.',
    flag: { short: '-n', argument: 'NAME' },
  },
  'path.data': {
    kind: 'path',
    default: ({ home }) => `${home}/data`,
    doc: 'Directory for queues, read positions and the node id; one process at a time can use it.',
    flag: { argument: 'PATH' },
  },
  'path.settings': {
    kind: 'path',
    default: ({ pathSettings }) => pathSettings,
    doc: 'Directory with logstash.yml and pipelines.yml; also set by the environment variable LS_SETTINGS_DIR.',
    flag: { argument: 'SETTINGS_DIR' },
  },
  'path.logs': {
    kind: 'path',
    default: ({ home }) => `${home}/logs`,
    doc: 'Directory for log files; without it logs go to standard output only.',
    flag: { short: '-l', argument: 'PATH' },
  },
  'path.plugins': {
    kind: 'string_list',
    default: [],
    doc: 'Directories with own plugins; the flag can be given several times.',
    flag: { short: '-p', argument: 'PATH' },
  },
  'config.test_and_exit': {
    kind: 'boolean',
    default: false,
    doc: 'Check the configuration, say whether it is good, and exit.',
    flag: { short: '-t' },
  },
  'config.reload.automatic': {
    kind: 'boolean',
    default: false,
    doc: 'Watch the configuration and reload a pipeline when it changes; SIGHUP reloads at once.',
    flag: { short: '-r' },
  },
  'config.reload.interval': {
    kind: 'time',
    default: '3s',
    doc: 'How often to look for configuration changes.',
    flag: { argument: 'INTERVAL' },
  },
  'ssl.reload.automatic': {
    kind: 'boolean',
    default: false,
    doc: 'Reload a pipeline when a certificate or key file that it uses changes.',
  },
  'log.level': {
    kind: 'enum',
    options: ['fatal', 'error', 'warn', 'debug', 'info', 'trace'],
    default: 'info',
    doc: 'How much to log.',
    flag: { argument: 'LEVEL' },
  },
  'log.format': {
    kind: 'enum',
    options: ['json', 'plain'],
    default: 'plain',
    doc: 'Log lines as JSON objects or as text.',
    flag: { argument: 'FORMAT' },
  },
  'log.format.json.fix_duplicate_message_fields': {
    kind: 'boolean',
    default: true,
    doc: 'Call a parameter named message message_1 in JSON log lines.',
  },
  'slowlog.threshold.warn': {
    kind: 'time',
    default: '-1',
    doc: 'Filter time of an event that is logged at warn; -1 is never.',
  },
  'slowlog.threshold.info': {
    kind: 'time',
    default: '-1',
    doc: 'Filter time of an event that is logged at info; -1 is never.',
  },
  'slowlog.threshold.debug': {
    kind: 'time',
    default: '-1',
    doc: 'Filter time of an event that is logged at debug; -1 is never.',
  },
  'slowlog.threshold.trace': {
    kind: 'time',
    default: '-1',
    doc: 'Filter time of an event that is logged at trace; -1 is never.',
  },
  'memory.limit': {
    kind: 'bytes',
    default: () => standardLimit(),
    doc: 'Memory of the whole process: write buffers, caches, requests and queues are kept within it, and what does not fit is refused with 429. Without it, four fifths of what the control group allows, or half of what the machine has.',
    flag: { argument: 'BYTES' },
  },
  'shutdown.grace': {
    kind: 'time',
    default: '10s',
    doc: 'How long batches of a persisted queue may take to finish at shutdown; after that they are read again at the next start.',
  },
  'shutdown.stall_limit': {
    kind: 'time',
    default: '60s',
    doc: 'How long a shutdown may go without any event leaving before it gives up, says what is lost and ends with code 1.',
  },
  'compat.strict': {
    kind: 'boolean',
    default: false,
    doc: 'Refuse what is deprecated or obsolete instead of warning, and keep to the limits of Logstash and OpenSearch.',
    flag: { long: '--strict' },
  },
  allow_superuser: { kind: 'boolean', default: false, doc: 'Do not warn when the program runs as root.' },
  'keystore.file': {
    kind: 'path',
    default: ({ pathSettings }) => `${pathSettings}/millrace.keystore`,
    doc: 'File with the secrets that ${NAME} can refer to.',
  },
  'keystore.classname': {
    kind: 'string',
    default: 'org.logstash.secret.store.backend.JavaKeyStore',
    doc: 'Class of the keystore.',
    ignored: 'there is one kind of keystore here',
  },
  interactive: {
    kind: 'nullable_string',
    default: null,
    doc: 'A Ruby shell, irb or pry; there is none here.',
    flag: { short: '-i', argument: 'SHELL', hidden: true },
  },
  demo: {
    kind: 'boolean',
    default: false,
    doc: 'Run the example pipelines with a live view in the terminal.',
    flag: {},
  },
} as const satisfies Record<string, Definition>
