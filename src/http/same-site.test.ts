import { describe, expect, it } from 'vitest'
import { AllowedHosts } from './allowed-hosts.ts'
import { isForeignPage } from './same-site.ts'

const own = new AllowedHosts(['logs.example.org'])

describe('a request from a web page', () => {
  it('is none when the client is no browser', () => {
    expect(isForeignPage({ host: 'anything:9600' }, own)).toBe(false)
  })

  it('is ours when its origin is this very server', () => {
    for (const host of ['127.0.0.1:9600', 'localhost:9600', '[::1]:9600', 'logs.example.org:9600'])
      expect([host, isForeignPage({ host, origin: `http://${host}` }, own)]).toEqual([host, false])
  })

  it('is foreign when the origin is another one, or none', () => {
    const host = 'localhost:9600'
    for (const origin of ['http://localhost:8080', 'https://evil.example', 'null', '', 'nonsense'])
      expect([origin, isForeignPage({ host, origin }, own)]).toEqual([origin, true])
    expect(isForeignPage({ host, 'sec-fetch-site': 'cross-site' }, own)).toBe(true)
    expect(isForeignPage({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, own)).toBe(
      false,
    )
  })

  it('is foreign when a name of its own leads here', () => {
    expect(isForeignPage({ host: 'evil.example:9600', origin: 'http://evil.example:9600' }, own)).toBe(true)
  })
})
