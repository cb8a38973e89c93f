import { describe, expect, it } from 'vitest'
import { loadPeer } from './peer-package.ts'

interface Package {
  readonly open: string
}

const withNames = { open: 'named', default: { open: 'default' } }
const withoutNames = { default: { open: 'default' } }

describe('a peer package', () => {
  it.each([
    ['whose exports have names, which are taken', withNames, 'open', 'named'],
    ['whose exports have no names, which are those of the default', withoutNames, 'open', 'default'],
    ['that is taken by its default', withNames, undefined, 'default'],
    ['without a default', { open: 'named' }, undefined, 'named'],
  ] as const)('%s', async (_, loaded, member, expected) => {
    const settings = { load: async () => loaded, ...(member !== undefined && { member }) }
    expect((await loadPeer<Package>('a', 'Things are read', settings)).open).toBe(expected)
  })

  it('that is not installed is named in the message, with what it is for', async () => {
    await expect(loadPeer('millrace-no-such-package', 'Things are read')).rejects.toThrow(
      'Things are read through the package `millrace-no-such-package`, which is not installed; ' +
        'install it beside millrace: npm install millrace-no-such-package',
    )
  })

  it('that fails when it is loaded is named with its own message', async () => {
    const load = () => Promise.reject(new Error('no such symbol'))
    await expect(loadPeer('a', 'Things are read', { load })).rejects.toThrow(
      'Things are read through the package `a`, which could not be loaded: no such symbol; install it beside millrace: npm install a',
    )
  })
})
