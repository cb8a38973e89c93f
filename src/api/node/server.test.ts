import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../log/logger.ts'
import type { SettingName } from '../../settings/definitions.ts'
import { type NodeApi, startNodeApi } from './server.ts'
import { testKeystore } from './test-keystore.ts'
import { freshFetch, testAgent, testPipeline, testSettings } from './testing.ts'
import type { AgentView } from './view.ts'

setLevel('logstash.agent', 'OFF')
const open: { close(): unknown }[] = []

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function start(
  values: Partial<Record<SettingName, unknown>> = {},
  agent: AgentView = testAgent(),
): Promise<NodeApi> {
  const api = await startNodeApi({
    settings: testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal', ...values }),
    agent,
    id: '6f0c0000-0000-4000-8000-000000000000',
  })
  open.push(api)
  return api
}

const get = (api: NodeApi, path: string, init?: RequestInit) =>
  freshFetch(`http://${api.address}${path}`, init)

describe('the monitoring API', () => {
  it('begins every body with the envelope', async () => {
    const api = await start({ 'node.name': 'n1', 'pipeline.workers': 4, 'monitoring.cluster_uuid': 'u-1' })
    const response = await get(api, '/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toMatchObject({
      version: '9.5.2',
      http_address: api.address,
      id: '6f0c0000-0000-4000-8000-000000000000',
      name: 'n1',
      snapshot: false,
      status: 'green',
      monitoring: { cluster_uuid: 'u-1' },
      pipeline: { workers: 4, batch_size: 125, batch_delay: 50 },
      build_snapshot: false,
    })
    expect(Object.keys(body).slice(0, 4)).toEqual(['host', 'version', 'http_address', 'id'])
    expect(body['ephemeral_id']).toMatch(/^[0-9a-f]{8}-/)
    expect(body['build_sha']).toMatch(/^[0-9a-f]{40}$/)
    expect(body['build_date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    const again = (await (await get(await start(), '/')).json()) as Record<string, unknown>
    expect(again['ephemeral_id']).not.toBe(body['ephemeral_id'])
  })

  it('answers unknown paths and wrong methods with the same 404', async () => {
    const api = await start()
    const unknown = await get(api, '/_node/nothing/here?x=1')
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      '{"path":"/_node/nothing/here","status":404,"error":{"message":"Not Found"}}',
    ])
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await get(api, '/', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([404, 'GET, HEAD'])
    }
    const head = await get(api, '/_node/pipelines', { method: 'HEAD' })
    const full = await get(api, '/_node/pipelines')
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'))
  })

  it('reports a failure without telling where it happened', async () => {
    const agent = testAgent()
    Object.defineProperty(agent, 'reloads', {
      get: () => {
        throw new TypeError('oh no')
      },
    })
    const response = await get(await start({}, agent), '/_node/stats/reloads?a=b')
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      status: 500,
      request_method: 'GET',
      path_info: '/_node/stats/reloads',
      query_string: 'a=b',
      http_version: 'HTTP/1.1',
      http_accept: '*/*',
      error: 'Unexpected Internal Error',
      class: 'TypeError',
      message: 'oh no',
      backtrace: [],
    })
  })
})

describe('the status of the node', () => {
  it('is that of the worst pipeline', async () => {
    const [one, two] = [testPipeline('one'), testPipeline('two')]
    const api = await start({}, testAgent(one, two))
    const status = async () => ((await (await get(api, '/')).json()) as { status: string }).status
    expect(await status()).toBe('green')
    two.status = 'starting'
    expect(await status()).toBe('yellow')
    one.status = 'crashed'
    expect(await status()).toBe('red')
  })

  it('can be waited for', async () => {
    const pipeline = testPipeline('main')
    pipeline.status = 'starting'
    const api = await start({}, testAgent(pipeline))
    expect((await get(api, '/?wait_for_status=yellow&timeout=1s')).status).toBe(200)
    const late = await get(api, '/?wait_for_status=green&timeout=10ms')
    expect([late.status, await late.json()]).toEqual([
      408,
      { path: '/', status: 408, error: { message: "Timed out waiting for status 'green'." } },
    ])
    setTimeout(() => {
      pipeline.status = 'running'
    }, 20)
    expect((await get(api, '/?wait_for_status=GREEN&timeout=20s')).status).toBe(200)
  })

  it('is waited for only with words it understands', async () => {
    const api = await start()
    const message = async (query: string) => {
      const response = await get(api, `/?${query}`)
      const body = (await response.json()) as { error: { message: string } }
      return [response.status, body.error.message]
    }
    expect(await message('wait_for_status=blue&timeout=1s')).toEqual([
      400,
      "Invalid status 'blue' provided. The valid statuses are: green, yellow, red.",
    ])
    expect(await message('wait_for_status=red')).toEqual([
      400,
      'A timeout must be provided along with a status.',
    ])
    expect(await message('timeout=soon')).toEqual([400, "Invalid timeout 'soon' provided."])
    expect((await get(api, '/?timeout=1s')).status).toBe(200)
  })
})

describe('ports, authentication and TLS', () => {
  it('takes the next port of the range, and names the port that is taken', async () => {
    const blocker: Server = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    open.push({ close: () => new Promise((resolve) => blocker.close(resolve)) })
    const { port } = blocker.address() as { port: number }
    const api = await start({ 'api.http.port': `${port}-${port + 50}` })
    expect(api.address).not.toBe(`127.0.0.1:${port}`)
    await expect(start({ 'api.http.port': port })).rejects.toThrow(
      `Logstash tried to bind to port ${port}, but the port is already in use.`,
    )
  })

  it('asks for credentials when told to', async () => {
    const api = await start({
      'api.auth.type': 'basic',
      'api.auth.basic.username': 'kim',
      'api.auth.basic.password': 'Sup3rSecret',
    })
    const authorization = `Basic ${Buffer.from('kim:Sup3rSecret').toString('base64')}`
    const without = await get(api, '/')
    expect([without.status, await without.text()]).toEqual([401, ''])
    expect(without.headers.get('www-authenticate')).toBe('Basic realm="logstash-api"')
    expect(without.headers.get('content-type')).toBe('text/plain')
    expect((await get(api, '/', { headers: { authorization } })).status).toBe(200)
    const bearer = await get(api, '/', { headers: { authorization: 'Bearer x' } })
    expect([bearer.status, await bearer.text()]).toEqual([400, ''])
  })

  it('refuses a weak password when the policy says so', async () => {
    const values = {
      'api.auth.type': 'basic',
      'api.auth.basic.username': 'kim',
      'api.auth.basic.password_policy.mode': 'ERROR',
    }
    await expect(start({ ...values, 'api.auth.basic.password': 'Password!' })).rejects.toThrow(
      'Password must contain at least one digit between 0 and 9.',
    )
    await expect(start({ ...values, 'api.auth.basic.password': 'pwd1' })).rejects.toThrow(
      'Password must be length of between 8 and 1024, must contain at least one upper case.',
    )
    await start({ ...values, 'api.auth.basic.password': 'Password1' })
  })

  it('serves TLS from a PKCS#12 keystore', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-api-'))
    open.push({ close: () => rm(directory, { recursive: true }) })
    const file = join(directory, 'api.p12')
    await writeFile(file, Buffer.from(testKeystore, 'base64'))
    const values = {
      'api.ssl.enabled': true,
      'api.ssl.keystore.path': file,
      'api.ssl.keystore.password': 'changeit',
    }
    const api = await start(values)
    const status = await new Promise((resolve, reject) => {
      secureRequest(`https://${api.address}/`, { rejectUnauthorized: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
    await expect(get(api, '/')).rejects.toThrow()
    await expect(start({ ...values, 'api.ssl.keystore.password': 'wrong' })).rejects.toThrow(
      'the password is wrong',
    )
  })
})
