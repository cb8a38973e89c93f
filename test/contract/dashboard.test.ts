/** The dashboard as the built program serves it: page, scripts, searches on its own port, and who may see what. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Patience } from '../../src/plugin/testing/patience.ts'
import { IN, type Json, jsonLines, Millrace } from '../support/millrace.ts'

const built = fileURLToPath(new URL('../../dist/ui/', import.meta.url))
let millrace: Millrace
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

beforeAll(async () => {
  millrace = await Millrace.start({
    config: `${IN} filter { mutate { id => "mine" add_field => { "password" => "hidden-1" } } } output { millrace { index => "logs" } }`,
    api: true,
    search: true,
  })
  await millrace.untilSearchable()
})

afterAll(() => millrace.dispose())

describe('the dashboard', () => {
  it('is where browsers are sent from both ports', async () => {
    const here = await fetch(at('/'), { redirect: 'manual', headers: browser })
    expect([here.status, here.headers.get('location')]).toEqual([302, '/ui'])
    const search = await fetch(`http://localhost:${millrace.searchPort}/`, {
      redirect: 'manual',
      headers: browser,
    })
    expect([search.status, search.headers.get('location')]).toEqual([
      302,
      `http://localhost:${millrace.apiPort}/ui`,
    ])
    const program = await fetch(`http://localhost:${millrace.searchPort}/`)
    expect(((await program.json()) as Json)['tagline']).toBe('You Know, for Search')
  })

  it('names only files that are there, compressed for those who ask', async () => {
    const page = await fetch(at('/ui/flow/main'), { headers: browser })
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await page.text()
    expect(html).not.toMatch(/<script(?![^>]* src=)|\sstyle=|\son\w+=/)
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThanOrEqual(3)
    for (const path of named) {
      const file = await fetch(at(path), { headers: { 'accept-encoding': 'gzip' } })
      expect([path, file.status]).toEqual([path, 200])
      await file.arrayBuffer()
    }
  })

  it('stays small', async () => {
    const sizes = new Map<string, number>()
    for (const name of await readdir(join(built, 'assets')))
      sizes.set(name, gzipSync(await readFile(join(built, 'assets', name)), { level: 6 }).length)
    const html = await readFile(join(built, 'index.html'), 'utf8')
    const first = [...sizes].filter(([name]) => html.includes(name)).reduce((sum, [, size]) => sum + size, 0)
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(first).toBeLessThan(68_000)
    expect(all).toBeLessThan(190_000)
  })

  it('searches on its own port what port 9200 would find', async () => {
    millrace.write(jsonLines({ n: 1, big: 1 }, { n: 2 }))
    const patience = new Patience(15_000)
    let total = 0
    while (total < 2 && !patience.isOver) {
      const answer = await fetch(at('/ui/search/logs/_search'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"track_total_hits":true,"sort":["n"]}',
      })
      const body = (await answer.json()) as { hits?: { total: { value: number } } }
      total = body.hits?.total.value ?? 0
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(total).toBe(2)
  })

  it('tells what the configuration says of a plugin, but no secret', async () => {
    const answer = await fetch(at('/_node/pipelines/main/_plugins'))
    const { plugins } = (await answer.json()) as {
      plugins: { id: string; options: { name: string; value: string }[] }[]
    }
    const mine = plugins.find(({ id }) => id === 'mine')
    expect(mine?.options.map(({ name }) => name)).toEqual(['id', 'add_field'])
    expect(JSON.stringify(plugins)).not.toContain('hidden-1')
    expect((await fetch(at('/_node/pipelines/none/_plugins'))).status).toBe(404)
  })

  it('tries grok expressions with the engine of the filter', async () => {
    const ask = async (pattern: string, ...lines: string[]) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pattern, lines }),
      }
      const answer = await fetch(at('/_node/_grok'), init)
      return { status: answer.status, body: (await answer.json()) as Json }
    }
    const { body } = await ask('%{IP:client} %{INT:n:int}', '192.0.2.1 7', '192.0.2.1 x')
    expect(body['lines']).toMatchObject([
      {
        kind: 'match',
        captures: [
          { field: 'client', text: '192.0.2.1' },
          { field: 'n', cast: 'int' },
        ],
      },
      { kind: 'failure', stop: 10 },
    ])
    const bad = await ask('%{NO_SUCH:x}', 'a')
    expect([bad.status, JSON.stringify(bad.body)]).toEqual([400, expect.stringContaining('NO_SUCH')])
  })

  it('is not shown to foreign names', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const sent = request(at('/ui'), { headers: { host: 'evil.example' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end()
    })
    expect(status).toBe(403)
  })
})

describe('with users', () => {
  it('the store asks who searches, on this port as on its own', async () => {
    const guarded = await Millrace.start({
      config: `${IN} output { millrace { index => "logs" } }`,
      settings: 'security.enabled: true\nsecurity.bootstrap.password: "of the first user"',
      api: true,
      search: true,
    })
    try {
      await guarded.untilStarted()
      const authorization = `Basic ${Buffer.from('elastic:of the first user').toString('base64')}`
      const search = async (headers: Record<string, string>) => {
        const answer = await fetch(`http://127.0.0.1:${guarded.apiPort}/ui/search/_search`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{}',
        })
        await answer.text()
        return [answer.status, answer.headers.get('www-authenticate')?.split(' ')[0]]
      }
      expect(await search({})).toEqual([401, 'Basic'])
      expect(
        await search({ authorization: `Basic ${Buffer.from('elastic:wrong').toString('base64')}` }),
      ).toEqual([401, 'Basic'])
      expect(await search({ authorization })).toEqual([200, undefined])
      // The page itself has nothing to hide: it is what people sign in with.
      expect((await fetch(`http://127.0.0.1:${guarded.apiPort}/ui`)).status).toBe(200)
    } finally {
      await guarded.dispose()
    }
  })
})
