import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFilter } from '../../plugin/testing.ts'
import http from './http.ts'
import rest from './rest.ts'

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let base = ''
let seen: Seen[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      if (url.startsWith('/missing')) response.writeHead(404).end('nothing here')
      else if (url.startsWith('/json')) {
        response.setHeader('content-type', 'application/json; charset=utf-8')
        response.end(`{"score":12345678901234567890,"path":${JSON.stringify(url)}}`)
      } else if (url.startsWith('/broken')) {
        response.setHeader('content-type', 'application/json')
        response.end('{"score":')
      } else response.end('  plain text \n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const asked = async (run: () => Promise<unknown>): Promise<Seen[]> => {
  seen = []
  await run()
  return seen
}

describe('http filter', () => {
  it('stores JSON as what it holds, with headers, and decorates', async () => {
    const [event] = await runFilter(http, { url: `${base}/json/%{name}`, add_tag: ['asked'] }, [
      { name: 'a' },
    ])
    expect(event).toMatchObject({
      body: { score: 12345678901234567890n, path: '/json/a' },
      headers: { 'content-type': 'application/json; charset=utf-8' },
      tags: ['asked'],
    })
  })

  it('stores anything else as text without blanks around it', async () => {
    const options = { url: `${base}/`, target_body: '[a][b]', target_headers: '[@metadata][h]' }
    const [event] = await runFilter(http, options, [{ n: 1 }])
    expect(event).toMatchObject({
      n: 1,
      a: { b: 'plain text' },
      '@metadata': { h: { 'content-length': '14' } },
    })
    expect(event).not.toHaveProperty('headers')
  })

  it('uses the places of ECS', async () => {
    const [event] = await runFilter(http, { url: `${base}/`, target_body: 'b' }, [{}], { ecs: 'v8' })
    expect(event).toMatchObject({ b: 'plain text' })
    expect(event).not.toHaveProperty('headers')
  })

  it('sends what it is told to', async () => {
    const options = {
      url: `${base}/post`,
      verb: 'POST',
      body_format: 'json',
      body: { who: '%{name}', list: ['%{name}', 1] },
      headers: { 'X-Name': '%{name}' },
      query: { q: '%{name} & co' },
      user: 'me',
      password: 'secret',
    }
    const [request] = await asked(() => runFilter(http, options, [{ name: 'ö' }]))
    expect(request).toMatchObject({
      method: 'POST',
      url: '/post?q=%C3%B6+%26+co',
      body: '{"who":"ö","list":["ö",1]}',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
      },
    })
  })

  it.each([
    ['/missing', '_httprequestfailure'],
    ['/broken', '_jsonparsefailure'],
  ])('tags what fails at %s', async (path, tag) => {
    const [event] = await runFilter(http, { url: base + path }, [{ a: 1 }])
    expect(event?.['tags']).toEqual([tag])
    expect(event).not.toHaveProperty('body')
  })

  it('uses the tags it is given', async () => {
    const tags = { tag_on_request_failure: ['no', 'answer'], tag_on_json_failure: ['no', 'json'] }
    const [missing] = await runFilter(http, { url: `${base}/missing`, ...tags }, [{ a: 1 }])
    const [broken] = await runFilter(http, { url: `${base}/broken`, ...tags }, [{ a: 1 }])
    expect([missing?.['tags'], broken?.['tags']]).toEqual([
      ['no', 'answer'],
      ['no', 'json'],
    ])
  })

  it('tags events whose server is not there or whose URL is none, and only those', async () => {
    const events = [{ url: 'http://127.0.0.1:1/' }, { url: `${base}/` }, { url: 'nonsense' }]
    const result = await runFilter(http, { url: '%{url}' }, events)
    expect(result.map(({ tags }) => tags)).toEqual([
      ['_httprequestfailure'],
      undefined,
      ['_httprequestfailure'],
    ])
  })
})

describe('rest filter', () => {
  it('stores text, or JSON', async () => {
    const request = { url: `${base}/json/%{d}` }
    expect(await runFilter(rest, { request, sprintf: true, json: false, target: 't' }, [{ d: 'x' }])).toEqual(
      [{ d: 'x', t: '{"score":12345678901234567890,"path":"/json/x"}' }],
    )
    const [event] = await runFilter(rest, { request, target: '[r][t]' }, [{ d: 'x' }])
    expect(event).toMatchObject({ r: { t: { path: '/json/x' } } })
  })

  it('sends params as query or as JSON', async () => {
    const params = { a: '%{n}', b: 'x' }
    const requests = await asked(async () => {
      for (const method of ['get', 'post']) {
        const request = {
          url: `${base}/`,
          method,
          params,
          headers: { K: 'v' },
          auth: { user: 'u', password: 'p' },
        }
        await runFilter(rest, { request, json: false, target: 't' }, [{ n: 5 }])
      }
    })
    expect(requests).toMatchObject([
      { method: 'GET', url: '/?a=5&b=x', body: '', headers: { k: 'v', authorization: 'Basic dTpw' } },
      { method: 'POST', url: '/', body: '{"a":"5","b":"x"}' },
    ])
  })

  it('tags failures and falls back', async () => {
    const options = { request: { url: `${base}/missing` }, target: 't', fallback: { a: '%{n}' } }
    expect(await runFilter(rest, options, [{ n: 1 }])).toEqual([
      { n: 1, t: { a: '1' }, tags: ['_restfailure'] },
    ])
    const broken = { request: { url: `${base}/broken` }, target: 't' }
    expect(await runFilter(rest, broken, [{}])).toEqual([{ tags: ['_jsonparsefailure'] }])
  })

  it('refuses a request without URL or with an unknown method', async () => {
    await expect(runFilter(rest, { request: { a: 'b' }, target: 't' }, [])).rejects.toThrow('needs a `url`')
    const request = { url: base, method: 'jump' }
    await expect(runFilter(rest, { request, target: 't' }, [])).rejects.toThrow('there is no method jump')
  })
})
