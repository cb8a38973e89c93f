import { describe, expect, it } from 'vitest'
import { hostWithPort, isPageVisit } from './page-visit.ts'

describe('isPageVisit', () => {
  it('knows browsers by the type they ask for first', () => {
    const chromium = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
    expect(isPageVisit({ accept: chromium })).toBe(true)
    expect(isPageVisit({ accept: 'application/json, TEXT/HTML;q=0.5' })).toBe(true)
  })

  it('takes what programs send for programs', () => {
    for (const accept of [undefined, '', '*/*', 'application/json', 'text/*', 'text/html;q=0', 'text/html5'])
      expect([accept, isPageVisit({ accept })]).toEqual([accept, false])
  })
})

describe('hostWithPort', () => {
  it('keeps the name and changes the port', () => {
    expect(hostWithPort('localhost:9200', 9600)).toBe('localhost:9600')
    expect(hostWithPort('node-1', 9600)).toBe('node-1:9600')
    expect(hostWithPort('[::1]:9200', 9600)).toBe('[::1]:9600')
  })

  it('makes no address of what is no host', () => {
    for (const host of [undefined, '', 'a b', 'x/y', 'a@b', 'a:b:c'])
      expect(hostWithPort(host, 1)).toBeUndefined()
  })
})
