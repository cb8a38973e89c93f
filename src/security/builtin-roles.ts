/** Roles that are always there and cannot be changed: those of the guide, and the one of Elasticsearch. */
import type { Role } from './role.ts'

const reserved = { _reserved: true }

function role(cluster: string, indices: string, description: string): Role {
  return {
    cluster: cluster.split(' '),
    indices: [{ names: ['*'], privileges: indices.split(' '), allow_restricted_indices: false }],
    run_as: [],
    metadata: reserved,
    description,
  }
}

const everything = role('all', 'all', 'May do everything, on both ports.')

export const builtinRoles: ReadonlyMap<string, Role> = new Map([
  ['superuser', everything],
  ['admin', everything],
  ['all_access', everything],
  [
    'monitor',
    role(
      'monitor',
      'monitor view_index_metadata read',
      'Sees how the node is doing, on both ports, and may search; changes nothing.',
    ),
  ],
  ['read', role('cluster:monitor/main', 'read view_index_metadata', 'Reads and searches every index.')],
  [
    'write',
    role(
      'monitor manage_index_templates manage_ilm manage_ingest_pipelines',
      'write create_index auto_configure maintenance view_index_metadata',
      'Writes to every index and creates those that are missing, as an agent or a pipeline does; reads none.',
    ),
  ],
])
