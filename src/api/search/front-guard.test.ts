import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { AllowedHosts } from '../../http/allowed-hosts.ts'
import { frontGuard } from './front-guard.ts'

function message(method: string, headers: Record<string, string>): IncomingMessage {
  return { method, headers: { host: 'localhost:9200', ...headers } } as unknown as IncomingMessage
}

const page = 'https://app.example'

describe('CORS', () => {
  const guard = frontGuard({ hosts: new AllowedHosts([]), corsOrigins: [page] })

  it('lets pages of the allowed origins do what others may, and tells the browser so', () => {
    expect(guard(message('POST', { origin: page }))).toEqual({
      headers: { 'access-control-allow-origin': page, vary: 'Origin' },
    })
  })

  it('answers a preflight as Elasticsearch does, before anybody is asked for a password', () => {
    const asked = { origin: page, 'access-control-request-method': 'DELETE' }
    const verdict = guard(message('OPTIONS', asked))
    expect(verdict?.answer).toEqual({ text: '' })
    expect(verdict?.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'OPTIONS,HEAD,GET,POST,PUT,DELETE',
      'access-control-max-age': '1728000',
    })
  })

  it('refuses pages of any other origin, whatever they ask for', () => {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect(guard(message(method, { origin: 'https://evil.example' }))?.answer?.status).toBe(403)
  })

  it('does not concern programs that are no browsers, nor our own pages', () => {
    expect(guard(message('DELETE', {}))).toBeUndefined()
    expect(guard(message('DELETE', { origin: 'http://localhost:9200' }))).toBeUndefined()
  })
})

describe('without CORS', () => {
  it('a page of another origin may look, which its browser does not let it see, and change nothing', () => {
    const guard = frontGuard({ hosts: new AllowedHosts([]) })
    expect(guard(message('GET', { origin: page }))).toBeUndefined()
    expect(guard(message('DELETE', { origin: page }))?.answer?.status).toBe(403)
  })
})
