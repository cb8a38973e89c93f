import { describe, expect, it } from 'vitest'
import { matchesPattern } from './action-pattern.ts'
import { RoleGrants } from './grants.ts'
import { clusterPrivilegesFor, indexPrivilegesFor } from './privileges.ts'
import { parseRole } from './role.ts'

function grants(cluster: string[], ...indices: [names: string[], privileges: string[]][]) {
  const groups = indices.map(([names, privileges]) => ({ names, privileges }))
  return new RoleGrants([parseRole('test', { cluster, indices: groups })], 'me')
}

describe('the privileges that grant an action', () => {
  // Sentences of Elasticsearch 8 as its users report them.
  it.each([
    ['indices:data/read/search', 'read,all'],
    ['indices:data/write/bulk[s]', 'create_doc,create,delete,index,write,all'],
    ['indices:data/write/index', 'create_doc,create,index,write,all'],
    ['indices:admin/auto_create', 'auto_configure,create_index,manage,all'],
    ['indices:admin/create', 'create_index,manage,all'],
    ['indices:admin/delete', 'delete_index,manage,all'],
    ['indices:admin/mappings/get', 'view_index_metadata,manage,all'],
    ['indices:monitor/stats', 'monitor,manage,all'],
  ])('%s are %s', (action, privileges) => {
    expect(indexPrivilegesFor(action).join(',')).toBe(privileges)
  })

  it.each([
    ['cluster:monitor/main', 'monitor,manage,all'],
    ['cluster:admin/settings/update', 'manage,all'],
    ['cluster:admin/xpack/security/user/put', 'manage_security,all'],
    ['cluster:admin/xpack/security/api_key/create', 'manage_own_api_key,manage_api_key,manage_security,all'],
  ])('%s are %s', (action, privileges) => {
    expect(clusterPrivilegesFor(action).join(',')).toBe(privileges)
  })
})

describe('grants', () => {
  it('of manage leave out the security of the cluster', () => {
    const manager = grants(['manage'])
    expect(manager.allowsCluster('cluster:admin/settings/update')).toBe(true)
    expect(manager.allowsCluster('cluster:admin/xpack/security/user/put')).toBe(false)
    expect(
      ['manage', 'monitor', 'all', 'manage_security'].map((name) => manager.coversCluster(name)),
    ).toEqual([true, true, false, false])
  })

  it('cover what is part of them, for patterns of names too', () => {
    const some = grants([], [['logs-*'], ['read', 'index']], [['logs-a*'], ['manage']])
    const answers = [
      ['read', 'logs-x'],
      ['read', 'logs-*'],
      ['read', '*'],
      ['read', 'log*'],
      ['create', 'logs-x'],
      ['write', 'logs-x'],
      ['all', 'logs-a1'],
      ['view_index_metadata', 'logs-a*'],
      ['view_index_metadata', 'logs-b'],
      ['indices:data/read/search', 'logs-x'],
    ] as const
    expect(answers.map(([privilege, name]) => some.coversIndex(privilege, name))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
      false,
      true,
      false,
      true,
    ])
  })

  it('know the name of the user in patterns', () => {
    expect(
      grants([], [['home-${user.name}'], ['read']]).allowsIndex('indices:data/read/get', 'home-me'),
    ).toBe(true)
  })
})

describe('roles', () => {
  it('are refused with the sentences of Elasticsearch', () => {
    expect(() => parseRole('r', { cluster: ['everything'] })).toThrow(
      /^unknown cluster privilege \[everything\]\. a privilege must be either one of the predefined cluster privilege names \[/,
    )
    expect(() => parseRole('r', { indices: [{ names: ['a'], privileges: ['peek'] }] })).toThrow(
      /^unknown index privilege \[peek\]\. a privilege must be either one of the predefined fixed indices privileges \[/,
    )
    const query = { indices: [{ names: ['a'], privileges: ['read'], query: '{}' }] }
    expect(() => parseRole('r', query)).toThrow(
      'current license is non-compliant for [field and document level security]',
    )
  })
})

describe('patterns', () => {
  it('match without trying every way to do it', () => {
    // Backtracking over all stars would not come to an end.
    expect(matchesPattern(`${'*a'.repeat(30)}b`, 'a'.repeat(2000))).toBe(false)
    expect(matchesPattern('a?c*', 'abcdef')).toBe(true)
    expect(matchesPattern('a*c', 'abcd')).toBe(false)
  })
})
