import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Query } from '../../http/query.ts'
import type { Reply } from '../../http/respond.ts'
import { Router } from '../../http/router.ts'
import type { Handler } from '../../http/service.ts'
import { PageFiles } from './page-files.ts'
import { addPageRoutes } from './page-routes.ts'

let folder = ''
let router: Router<Handler>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-ui-'))
  await mkdir(join(folder, 'ui', 'assets'), { recursive: true })
  await writeFile(join(folder, 'ui', 'index.html'), '<!doctype html><p>page')
  await writeFile(join(folder, 'ui', 'assets', 'main-1a2b.js'), 'export {}')
  await writeFile(join(folder, 'ui', 'assets', 'notes.txt'), 'not for the page')
  await writeFile(join(folder, 'secret.js'), 'not here')
  router = new Router<Handler>()
  addPageRoutes(router, new PageFiles(pathToFileURL(`${join(folder, 'ui')}/`)))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const match = router.find('GET', path)
  if (match === undefined) throw new Error(`no route for ${path}`)
  return match.handler({
    method: 'GET',
    path,
    parameters: match.parameters,
    query: new Query(''),
    headers,
    httpVersion: '1.1',
    signal: new AbortController().signal,
    body: async () => Buffer.alloc(0),
  })
}

const bytesOf = ({ content }: Reply) => ('pieces' in content ? Buffer.concat(content.pieces).toString() : '')

describe('the dashboard', () => {
  it('is the same page at every path below /ui', async () => {
    for (const path of ['/ui', '/ui/', '/ui/flow/main', '/ui/discover', '/ui/a/b/c']) {
      const reply = await get(path)
      expect([path, reply.status, bytesOf(reply)]).toEqual([path, 200, '<!doctype html><p>page'])
      expect(reply.type).toBe('text/html; charset=utf-8')
    }
  })

  it('runs its own scripts and nothing else', async () => {
    const policy = String((await get('/ui')).headers?.['content-security-policy'])
    const rules = new Map(
      policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
    )
    expect(rules.get('default-src')).toBe("'none'")
    expect(rules.get('script-src')).toBe("'self'")
    expect(rules.get('style-src')).toBe("'self'")
    expect(rules.get('frame-ancestors')).toBe("'none'")
    expect(rules.get('require-trusted-types-for')).toBe("'script'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  })

  it('is asked for anew, its scripts are kept for ever', async () => {
    const page = await get('/ui')
    expect(page.headers?.['cache-control']).toBe('no-cache')
    const tag = String(page.headers?.['etag'])
    const again = await get('/ui', { 'if-none-match': tag })
    expect([again.status, bytesOf(again)]).toEqual([304, ''])
    const script = await get('/ui/assets/main-1a2b.js')
    expect(script.type).toBe('text/javascript; charset=utf-8')
    expect(script.headers?.['cache-control']).toContain('immutable')
  })

  it('gives no file that the build did not write for it', async () => {
    for (const name of ['none.js', 'notes.txt', '..%2f..%2fsecret.js', '%2e%2e', '__proto__', 'constructor'])
      expect([name, (await get(`/ui/assets/${name}`)).status]).toEqual([name, 404])
  })

  it('says how to build it when it is not there', async () => {
    const empty = new Router<Handler>()
    addPageRoutes(empty, new PageFiles(pathToFileURL(`${join(folder, 'nowhere')}/`)))
    const match = empty.find('GET', '/ui')!
    const reply = await match.handler({ headers: {}, parameters: {} } as never)
    expect(reply.status).toBe(404)
    expect('text' in reply.content && reply.content.text).toContain('npm run build')
  })
})
