/** The official clients log in: with a password and with an API key, and manage users, roles and keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { clientKinds, type Json, SearchClient } from '../support/search-clients.ts'

const password = 'a long password'

describe.each(clientKinds)('client $name of a server that is $flavor', (kind) => {
  const isOpenSearch = kind.flavor === 'opensearch'
  const first = isOpenSearch ? 'admin' : 'elastic'
  let millrace: Millrace
  let url: string
  let admin: SearchClient
  const clients: SearchClient[] = []

  const login = (auth: Json | undefined): SearchClient => {
    const client = new SearchClient(kind, url, auth === undefined ? {} : { auth })
    clients.push(client)
    return client
  }

  beforeAll(async () => {
    millrace = await Millrace.start({
      config: 'input { stdin { } } output { null { } }',
      search: true,
      args: ['--search.compat.flavor', kind.flavor, '--security.enabled'],
      env: { [isOpenSearch ? 'OPENSEARCH_INITIAL_ADMIN_PASSWORD' : 'ELASTIC_PASSWORD']: password },
    })
    await millrace.untilSearchable()
    url = `http://127.0.0.1:${millrace.searchPort}`
    admin = login({ username: first, password })
    await admin.call('indices.create', { index: 'logs-1' })
    await admin.call('indices.create', { index: 'secret' })
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
    await millrace?.dispose()
  })

  it('is refused without and with wrong credentials', async () => {
    expect(await login(undefined).failure('search', { index: 'logs-1' })).toMatchObject({ status: 401 })
    const wrong = login({ username: first, password: 'wrong' })
    expect(await wrong.failure('search', { index: 'logs-1' })).toMatchObject({ status: 401 })
  })

  it('makes a role and a user, and sees what they may', async () => {
    if (isOpenSearch) {
      const api = '/_plugins/_security/api'
      await admin.raw('PUT', `${api}/roles/reader`, {
        index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: ['read'] }],
      })
      await admin.raw('PUT', `${api}/internalusers/bob`, { password })
      await admin.raw('PUT', `${api}/rolesmapping/reader`, { users: ['bob'] })
    } else {
      await admin.call(
        'security.putRole',
        { name: 'reader' },
        { indices: [{ names: ['logs-*'], privileges: ['read'] }] },
      )
      await admin.call('security.putUser', { username: 'bob' }, { password, roles: ['reader'] })
    }
    const bob = login({ username: 'bob', password })
    expect(await bob.call('search', { index: 'logs-*' })).toHaveProperty('hits')
    expect(await bob.failure('search', { index: 'secret' })).toMatchObject({ status: 403 })
    expect(await bob.failure('indices.delete', { index: 'logs-1' })).toMatchObject({ status: 403 })
    if (isOpenSearch) {
      const account = await bob.raw('GET', '/_plugins/_security/api/account')
      expect(account).toMatchObject({ user_name: 'bob', roles: ['reader'] })
      return
    }
    expect(await bob.call('security.authenticate')).toMatchObject({ username: 'bob', roles: ['reader'] })
    const asked = { index: [{ names: ['logs-1', 'secret'], privileges: ['read'] }] }
    expect(await bob.call('security.hasPrivileges', {}, asked)).toMatchObject({
      has_all_requested: false,
      index: { 'logs-1': { read: true }, secret: { read: false } },
    })
    expect(await admin.call('security.getUser', { username: 'bob' })).toHaveProperty('bob')
    expect(await admin.call('security.getRole', { name: 'reader' })).toHaveProperty('reader')
  })

  it.skipIf(isOpenSearch)('logs in with an API key until it is invalidated', async () => {
    const made = await admin.call('security.createApiKey', {}, { name: 'key' })
    const program = login({ apiKey: { id: made['id'], api_key: made['api_key'] } })
    expect(await program.call('security.authenticate')).toMatchObject({ authentication_type: 'api_key' })
    expect(await program.call('search', { index: 'secret' })).toHaveProperty('hits')
    const shown = await admin.call('security.getApiKey', { id: made['id'] })
    expect(shown['api_keys']).toMatchObject([{ name: 'key', invalidated: false }])
    await admin.call('security.invalidateApiKey', {}, { ids: [made['id']] })
    expect(await program.failure('search', { index: 'secret' })).toMatchObject({ status: 401 })
  })
})
