import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { type ClusterState, emptyState, readState, withMember, writeState } from './cluster-state.ts'
import type { IndexMetadata } from './index-metadata.ts'

function index(name: string, version = 1, fields = 1): IndexMetadata {
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, i) => [`f${i}`, { type: 'keyword' }]),
  )
  return {
    name,
    uuid: `u-${name}`,
    creationDate: 0,
    isOpen: true,
    settings: {},
    mappings: { properties },
    aliases: {},
    version,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
  }
}

describe('the cluster state on disk', () => {
  it('is read as it was written, after changes to one index of many', () => {
    const files = new MemoryFiles()
    const write = (state: ClusterState) => writeState(files, 'state', state)
    let state = emptyState('u')
    write(state)
    const changes = [
      index('b'),
      index('a'),
      index('über "c"'),
      index('wide', 1, 1000),
      index('a', 2),
      index('wide', 2, 1001),
    ]
    for (const change of changes) {
      state = {
        ...state,
        version: state.version + 1,
        indices: withMember(state.indices, change.name, change),
      }
      write(state)
      expect(readState(files, 'state')).toEqual(state)
    }
    expect(Object.keys(state.indices)).toEqual(['b', 'über "c"', 'a', 'wide'])
  })

  it('has members that bear the names of methods', () => {
    expect(Object.entries(withMember({}, '__proto__', 1))).toEqual([['__proto__', 1]])
    expect(Object.entries(withMember(withMember({}, 'toString', 1), 'toString', 2))).toEqual([
      ['toString', 2],
    ])
  })
})
