/** Settings of our own for looking into pipelines: lineage of events, shadow reloads. Part of the table in definitions.ts. */
import type { Definition } from './definition.ts'

export const inspectionDefinitions = {
  'lineage.enabled': {
    kind: 'boolean',
    default: false,
    doc: 'Follow some events from input to output, for the lineage view and `GET /_node/traces`; can also be switched on for some minutes there. On with --demo.',
  },
  'lineage.sample': {
    kind: 'positive_integer',
    default: 100,
    doc: 'One of so many events is followed, at most 50 a second for each worker.',
  },
  'lineage.max_bytes': {
    kind: 'bytes',
    default: '16mb',
    doc: 'Memory for traces of events; the oldest go first.',
  },
  'shadow_reload.events': {
    kind: 'integer',
    default: 0,
    doc: 'Before a reload, run the new configuration on so many of the last events and log what would change; 0 is off.',
  },
  'shadow_reload.max_failures': {
    kind: 'integer',
    default: -1,
    doc: 'Refuse a reload after which more of these events than before, by this number, get failure tags such as _grokparsefailure; -1 never refuses.',
  },
} as const satisfies Record<string, Definition>
