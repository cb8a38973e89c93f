import { describe, expect, it } from 'vitest'
import { AllowedHosts } from './allowed-hosts.ts'

describe('a Host header', () => {
  const hosts = new AllowedHosts(['Logs.Example.org'])

  it('may be an address, a name nobody can register, or one that was configured', () => {
    const allowed = [
      undefined,
      '127.0.0.1:9200',
      '[::1]:9200',
      '[2001:db8::1]',
      '10.1.2.3',
      'localhost:9200',
      'LOCALHOST',
      'millrace:9200',
      'a.localhost:9200',
      'host.docker.internal:9200',
      'logs.example.org',
      'logs.example.org.:9200',
      'LOGS.example.org:1',
    ]
    expect(allowed.filter((host) => !hosts.allows(host))).toEqual([])
  })

  it('may be no other name, whatever it looks like', () => {
    const refused = [
      'evil.example',
      'evil.example:9200',
      '127.0.0.1.evil.example',
      'localhost.evil.example:9200',
      'x.logs.example.org',
      'logs.example.org.evil.example',
      '[evil.example]:9200',
      '127.0.0.1:9200@evil.example',
      '1.2.3.4.nip.io',
      'internal.evil.example',
    ]
    expect(refused.filter((host) => hosts.allows(host))).toEqual([])
  })

  it('may be anything when the operator says so', () => {
    expect(new AllowedHosts(['*']).allows('evil.example')).toBe(true)
  })
})
