import { describe, expect, it } from 'vitest'
import { checkBinds, isLoopback } from './bind-settings.ts'
import { coerceSetting } from './coerce.ts'
import type { SettingName } from './definitions.ts'
import { type GivenValue, Settings } from './settings.ts'

function settings(values: Partial<Record<SettingName, unknown>>): Settings {
  const given = new Map<SettingName, GivenValue>()
  for (const [name, value] of Object.entries(values) as [SettingName, unknown][])
    given.set(name, { value: coerceSetting(name, value), source: 'file' })
  return new Settings({ home: '/x', hostname: 'h', cores: 1, pathSettings: '/x/config' }, given)
}

describe('an address', () => {
  it('is of this machine alone only when it cannot be anything else', () => {
    const own = ['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost', 'LOCALHOST']
    const others = ['0.0.0.0', '::', '10.0.0.1', 'millrace', '127.evil.example', '1270.0.0.1', '']
    expect(own.filter((host) => !isLoopback(host))).toEqual([])
    expect(others.filter(isLoopback)).toEqual([])
  })
})

describe('a public address', () => {
  it('needs somebody who asks for a password, for each API by itself', () => {
    expect(() => checkBinds(settings({}))).not.toThrow()
    expect(() => checkBinds(settings({ 'api.http.host': '0.0.0.0' }))).toThrow(
      /^`api\.http\.host` is 0\.0\.0\.0/,
    )
    expect(() => checkBinds(settings({ 'search.http.host': '::' }))).toThrow(/^`search\.http\.host` is ::/)
    const basic = { 'api.auth.type': 'basic', 'api.http.host': '0.0.0.0' }
    expect(() => checkBinds(settings(basic))).not.toThrow()
    expect(() => checkBinds(settings({ ...basic, 'search.http.host': '0.0.0.0' }))).toThrow(/^`search/)
    expect(() =>
      checkBinds(settings({ 'search.http.host': '0.0.0.0', 'security.enabled': true })),
    ).not.toThrow()
    expect(() =>
      checkBinds(settings({ 'search.http.host': '0.0.0.0', 'search.enabled': false })),
    ).not.toThrow()
    expect(() =>
      checkBinds(settings({ 'api.http.host': '0.0.0.0', 'security.insecure_bind': true })),
    ).not.toThrow()
  })
})
