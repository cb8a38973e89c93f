/** The real program with security on: its commands, both ports, pipelines inside, TLS, locks, refused binds. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binary, ensureBuilt } from '../support/build.ts'
import { freePort, Millrace, run } from '../support/millrace.ts'

const idle = 'input { stdin { } } output { null { } }'
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

async function ask(port: number, method: string, path: string, authorization?: string, body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

function command(folder: string, input: string, ...args: string[]): string {
  const line = [
    binary,
    'user',
    ...args,
    '--path.data',
    join(folder, 'data'),
    '--path.settings',
    join(folder, 'settings'),
  ]
  return execFileSync(process.execPath, line, { input, encoding: 'utf8' })
}

let folder: string
beforeAll(async () => {
  await ensureBuilt()
  folder = mkdtempSync(join(tmpdir(), 'millrace-security-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a node with security', () => {
  let millrace: Millrace
  let search: number
  let api: number
  const root = basic('root', 'root password')
  const watcher = basic('watcher', 'watcher password')

  beforeAll(async () => {
    expect(command(folder, 'root password\n', 'add', 'root', '--role', 'superuser')).toContain(
      'Added user [root]',
    )
    expect(command(folder, 'watcher password\n', 'add', 'watcher', '--role', 'monitor')).toContain('watcher')
    expect(command(folder, 'writer password\n', 'add', 'writer', '--role', 'write')).toContain('writer')
    search = await freePort()
    millrace = await Millrace.start({
      folder,
      api: true,
      search: true,
      args: ['--search.http.port', String(search), '--security.enabled', '--path.logs', join(folder, 'logs')],
      config: `input { stdin { codec => json_lines } }
        output {
          if [to] == "millrace" { millrace { index => "inside" } }
          else if [to] == "named" {
            elasticsearch { hosts => ["http://127.0.0.1:${search}"] user => "writer" password => "writer password"
              index => "named" ecs_compatibility => disabled manage_template => false }
          } else {
            elasticsearch { hosts => ["http://127.0.0.1:${search}"] index => "anonymous"
              ecs_compatibility => disabled manage_template => false }
          }
        }`,
    })
    await millrace.untilSearchable()
    api = millrace.apiPort!
  }, 60_000)
  afterAll(() => millrace?.dispose())

  it('lets nobody in without a user, but tells that it lives', async () => {
    expect((await ask(search, 'GET', '/')).status).toBe(401)
    expect((await ask(search, 'GET', '/no/such/path')).status).toBe(401)
    expect((await ask(api, 'GET', '/_node/stats')).status).toBe(401)
    expect((await ask(search, 'GET', '/-/live')).text).toBe('live\n')
    expect((await ask(api, 'GET', '/-/live')).status).toBe(200)
  })

  it('lets monitors look and only managers change on the monitoring port', async () => {
    expect((await ask(api, 'GET', '/_node/stats', watcher)).status).toBe(200)
    const level = { 'logger.x': 'DEBUG' }
    expect((await ask(api, 'PUT', '/_node/logging', watcher, level)).status).toBe(403)
    expect((await ask(api, 'PUT', '/_node/logging', root, level)).status).toBe(200)
    expect((await ask(api, 'GET', '/_node/stats', basic('writer', 'writer password'))).status).toBe(200)
    expect((await ask(api, 'GET', '/_node/stats', basic('root', 'wrong'))).status).toBe(401)
  })

  it('trusts the pipelines inside, and asks outputs of the network for their user', async () => {
    millrace.write('{"to":"millrace","n":1}\n{"to":"named","n":2}\n{"to":"nobody","n":3}\n')
    const count = async (index: string) => {
      const { text } = await ask(search, 'GET', `/${index}/_count?ignore_unavailable=true`, root)
      return (JSON.parse(text) as { count?: number }).count ?? 0
    }
    for (let n = 0; n < 100 && (await count('inside')) + (await count('named')) < 2; n++) {
      await ask(search, 'POST', '/_refresh', root)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect([await count('inside'), await count('named'), await count('anonymous')]).toEqual([1, 1, 0])
  })

  it('notices a user that the command line adds or removes', async () => {
    command(folder, 'late password\n', 'add', 'late', '--role', 'read')
    const late = basic('late', 'late password')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await ask(search, 'GET', '/_search', late)).status).toBe(200)
    expect(command(folder, '', 'list')).toContain('late\tread')
    command(folder, '', 'remove', 'late')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await ask(search, 'GET', '/_search', late)).status).toBe(401)
  })

  it('keeps users and keys over kill -9, in files that nobody else reads', async () => {
    await ask(search, 'PUT', '/_security/user/kept', root, { password: 'kept password', roles: ['read'] })
    const made = JSON.parse(
      (await ask(search, 'POST', '/_security/api_key', root, { name: 'kept' })).text,
    ) as {
      encoded: string
    }
    millrace.signal('SIGKILL')
    await millrace.exit()
    const file = join(folder, 'data', 'security', 'security.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain('kept password')
    millrace = await Millrace.start({
      folder,
      api: true,
      search: true,
      args: ['--security.enabled', '--path.logs', join(folder, 'logs')],
      config: idle,
    })
    await millrace.untilSearchable()
    search = millrace.searchPort!
    expect((await ask(search, 'GET', '/_search', basic('kept', 'kept password'))).status).toBe(200)
    expect((await ask(search, 'GET', '/_search', `ApiKey ${made.encoded}`)).status).toBe(200)
  }, 60_000)

  it('writes an audit log of its own without secrets, and no secret anywhere else', async () => {
    const logs = readdirSync(join(folder, 'logs'))
    expect(logs).toContain('logstash-audit-plain.log')
    const audit = readFileSync(join(folder, 'logs', 'logstash-audit-plain.log'), 'utf8')
    expect(audit).toContain('anonymous_access_denied')
    expect(audit).toContain('access_denied')
    expect(audit).toContain('put_user kept')
    const all = logs
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, 'logs', name), 'utf8'))
      .join('')
    for (const secret of ['root password', 'watcher password', 'writer password', 'kept password', 'scrypt$'])
      expect([secret, all.includes(secret), millrace.stdout.includes(secret)]).toEqual([secret, false, false])
  })

  it('does not start with a damaged file of users', async () => {
    const other = mkdtempSync(join(tmpdir(), 'millrace-security-'))
    cpSync(join(folder, 'data', 'security'), join(other, 'data', 'security'), { recursive: true })
    const file = join(other, 'data', 'security', 'security.json')
    execFileSync(process.execPath, ['-e', `require('fs').appendFileSync(${JSON.stringify(file)}, 'x')`])
    const ended = await run({ folder: other, search: true, args: ['--security.enabled'], config: idle })
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain(`The security file ${file} cannot be used: its checksum does not fit`)
    rmSync(other, { recursive: true, force: true })
  }, 60_000)
})

describe('a public address', () => {
  it('is refused without security, with a message that says what to do', async () => {
    for (const setting of ['--search.http.host', '--api.http.host']) {
      const ended = await run({ api: true, search: true, args: [setting, '0.0.0.0'], config: idle })
      expect(ended.code).toBe(1)
      const said = ended.stdout + ended.stderr
      expect(said).toContain(`\`${setting.slice(2)}\` is 0.0.0.0`)
      for (const way of [
        'security.enabled: true',
        'security.insecure_bind: true',
        '--insecure-bind',
        'MILLRACE_INSECURE_BIND=true',
      ])
        expect(said).toContain(way)
    }
  }, 60_000)

  it('is served when told so, or with a password', async () => {
    for (const [args, env] of [
      [['--insecure-bind'], {}],
      [[], { MILLRACE_INSECURE_BIND: 'true' }],
      [['--security.enabled'], {}],
    ] as const) {
      const millrace = await Millrace.start({
        api: true,
        search: true,
        args: ['--search.http.host', '0.0.0.0', '--api.http.host', '0.0.0.0', ...args],
        env,
        config: idle,
      })
      await millrace.untilSearchable()
      await millrace.dispose()
    }
  }, 60_000)
})

describe('the first user', () => {
  it('comes from the environment or the keystore, once', async () => {
    const start = (secret: string, folder: string) =>
      Millrace.start({
        folder,
        search: true,
        args: ['--security.enabled'],
        env: { ELASTIC_PASSWORD: secret },
        config: idle,
      })
    const place = mkdtempSync(join(tmpdir(), 'millrace-security-'))
    for (const secret of ['first password', 'second password']) {
      const millrace = await start(secret, place)
      await millrace.untilSearchable()
      const answer = await ask(millrace.searchPort!, 'GET', '/', basic('elastic', 'first password'))
      expect(answer.status).toBe(200)
      expect(millrace.stdout).not.toContain('password"')
      await millrace.dispose()
    }
    rmSync(place, { recursive: true, force: true })
  }, 60_000)
})

describe('the directory of the store', () => {
  it('belongs to one process, and a copy of it to another', async () => {
    const place = mkdtempSync(join(tmpdir(), 'millrace-security-'))
    const shared = join(place, 'store')
    const first = await Millrace.start({ search: true, args: ['--search.path', shared], config: idle })
    await first.untilSearchable()
    await first.search('PUT', '/docs/_doc/1', { a: 1 })
    const refused = await run({ search: true, args: ['--search.path', shared], config: idle })
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain(
      'Logstash could not be started because there is already another instance using the configured data directory.  If you wish to run multiple instances, you must change the "search.path" setting.',
    )
    expect(refused.stdout).toContain(`process ${first.pid}`)
    expect(existsSync(join(shared, '.lock'))).toBe(true)
    const copy = join(place, 'copy')
    cpSync(shared, copy, { recursive: true })
    const second = await Millrace.start({ search: true, args: ['--search.path', copy], config: idle })
    await second.untilSearchable()
    expect((await second.search('GET', '/docs/_doc/1')).status).toBe(200)
    await second.dispose()
    await first.dispose()
    rmSync(place, { recursive: true, force: true })
  }, 60_000)
})

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
})()

describe.runIf(hasOpenssl)('TLS', () => {
  it('is at least 1.2, and takes a new certificate without a restart', async () => {
    const place = mkdtempSync(join(tmpdir(), 'millrace-security-'))
    const certificate = join(place, 'cert.pem')
    const key = join(place, 'key.pem')
    const make = (name: string) =>
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-subj',
          `/CN=${name}`,
          '-keyout',
          key,
          '-out',
          certificate,
        ],
        { stdio: 'ignore' },
      )
    make('first.test')
    const millrace = await Millrace.start({
      api: true,
      search: true,
      settings: [
        'search.ssl.enabled: true',
        `search.ssl.certificate: ${certificate}`,
        `search.ssl.key: ${key}`,
        'api.ssl.enabled: true',
        `api.ssl.certificate: ${certificate}`,
        `api.ssl.key: ${key}`,
      ].join('\n'),
      config: idle,
    })
    await millrace.untilSearchable()
    const peer = (port: number, options = {}) =>
      new Promise<string>((resolve, reject) => {
        const call = secureRequest(
          { host: '127.0.0.1', port, rejectUnauthorized: false, agent: false, ...options },
          (response) => {
            const socket = response.socket as TLSSocket
            resolve(`${String(socket.getPeerCertificate().subject.CN)} ${socket.getProtocol()}`)
            response.resume()
          },
        )
        call.on('error', reject)
        call.end()
      })
    for (const port of [millrace.searchPort!, millrace.apiPort!]) {
      expect(await peer(port)).toBe('first.test TLSv1.3')
      expect(await peer(port, { maxVersion: 'TLSv1.2' })).toBe('first.test TLSv1.2')
      await expect(
        peer(port, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      ).rejects.toThrow()
      await expect(ask(port, 'GET', '/')).rejects.toThrow()
    }
    make('second.test')
    await millrace.until('The certificate of the search API was replaced')
    await millrace.until('The certificate of the API was replaced')
    expect(await peer(millrace.searchPort!)).toBe('second.test TLSv1.3')
    expect(await peer(millrace.apiPort!)).toBe('second.test TLSv1.3')
    await millrace.dispose()
    rmSync(place, { recursive: true, force: true })
  }, 60_000)
})
