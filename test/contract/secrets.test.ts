/**
 * Canaries: passwords, user info of URLs and values of the keystore are planted wherever a user may have them, the
 * program runs at its most talkative, and nothing it prints, logs or answers shows one of them. Pipelines that
 * cannot be built are among them, because messages about those quote the configuration.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { createKeystore } from '../../src/settings/keystore.ts'
import { Millrace } from '../support/millrace.ts'

const canary = (name: string) => `canary-${name}-7f3a`
const everyCanary = /canary-\w+-7f3a|canary%2D/g
const api = { user: 'scraper', password: `${canary('api')}A1` }

let folder = ''
let keystore = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-secrets-'))
  keystore = join(folder, 'test.keystore')
  const store = await createKeystore(keystore, undefined)
  for (const name of ['ks_field', 'ks_condition', 'ks_number', 'ks_document', 'ks_password', 'ks_broken'])
    await store.add(name, canary(name.slice(3)))
  await store.add('ks_api', api.password)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Pipelines by id; those that begin with `bad` cannot be built. */
const pipelines = (port: number): Record<string, string> => ({
  good: `input { generator { count => 3 message => "x" } }
    filter {
      if [message] == "\${ks_condition}" { mutate { add_field => { "a" => "\${ks_field}" } } }
      else if [message] =~ /x/ { mutate { id => "second" add_field => { "b" => "https://u:${canary('literal')}@h/" } } }
    }
    output { http { url => "http://user:${canary('url')}@127.0.0.1:${port}/refused" http_method => "post"
      user => "u" password => "\${ks_password}" automatic_retries => 0 retry_failed => false } }`,
  dead: `input { generator { count => 1 } }
    output { http { url => "http://user:${canary('dead')}@127.0.0.1:1/" http_method => "post" automatic_retries => 0 retry_failed => false } }`,
  bad_syntax: `input { stdin { } } output { http { url => "http://u:${canary('syntaxurl')}@h" password => "${canary('syntax')}" http_method => } }`,
  bad_option: `input { stdin { } } output { http { url => "http://h/" http_method => "post" password => "${canary('option')}" pasword => "${canary('typo')}" } }`,
  bad_value: `input { tcp { port => "\${ks_number}" ssl_key_passphrase => "${canary('value')}" } } output { null { } }`,
  bad_condition: `input { stdin { } } filter { if [a] == "\${ks_broken}" [b] { mutate { } } } output { http { password => '${canary('single')}' } }`,
  bad_start: `input { tcp { port => 0 ssl_enabled => true ssl_certificate => "/nonexistent" ssl_key => "/nonexistent" ssl_key_passphrase => "${canary('start')}" } } output { null { } }`,
})

function pipelinesFile(port: number): string {
  const entries = Object.entries(pipelines(port)).map(
    ([id, text]) =>
      `- pipeline.id: ${id}\n  config.string: ${JSON.stringify(text.replaceAll('ks_', 'ks_'))}\n`,
  )
  const document =
    'input { stdin { } } filter { if [z] == "${ks_document}" { mutate { } } } output { null { } }'
  return `${entries.join('')}- pipeline.id: document\n  config.string: ${JSON.stringify(document)}\n`
}

const paths = [
  '/',
  '/_node',
  '/_node?format=yaml',
  '/_node/pipelines?graph=true&vertices=true&pretty',
  '/_node/pipelines/good/_plugins',
  '/_node/plugins',
  '/_node/stats?vertices=true&human=true',
  '/_node/stats/pipelines',
  '/_node/stats/pipeline?id=bad_syntax',
  '/_node/hot_threads?human&interval=50ms&ignore_idle_threads=false',
  '/_node/logging',
  '/_health_report',
  '/metrics',
  '/nothing',
]

async function refusing(): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    request.resume()
    response.statusCode = 500
    response.end('no')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

async function everythingSaid(node: Millrace): Promise<Map<string, string>> {
  const said = new Map([
    ['standard output', node.stdout],
    ['standard error', node.stderr],
  ])
  const authorization = `Basic ${Buffer.from(`${api.user}:${api.password}`).toString('base64')}`
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${node.apiPort}${path}`, {
      headers: { authorization },
      signal: patientSignal(10_000),
    })
    said.set(path, `${response.status} ${await response.text()}`)
  }
  const logs = join(node.folder, 'logs')
  for (const file of await readdir(logs)) said.set(file, await readFile(join(logs, file), 'utf8'))
  return said
}

describe.each(['plain', 'json'])('with %s logs at level trace', (format) => {
  it('no secret is printed, logged or answered', async () => {
    const { server, port } = await refusing()
    const node = await Millrace.start({
      pipelines: pipelinesFile(port),
      settings: [
        `keystore.file: ${keystore}`,
        'config.debug: true',
        'log.level: trace',
        `log.format: ${format}`,
        'path.logs: logs',
        'api.auth.type: basic',
        `api.auth.basic.username: ${api.user}`,
        'api.auth.basic.password: "${ks_api}"',
      ].join('\n'),
      api: true,
    })
    try {
      await node.untilStarted()
      await node.until(() => node.stdout.includes('bad_start') && /could not fetch url/i.test(node.stdout))
      const said = await everythingSaid(node)
      for (const [where, text] of said) expect([where, text.match(everyCanary)]).toEqual([where, null])
      // They were there to be shown: what quotes them says so.
      expect(said.get('standard output')).toContain('<password>')
      expect(said.get('/_node/stats/pipelines')).toContain('bad_syntax')
      for (const path of paths.filter((path) => path !== '/nothing'))
        expect(said.get(path)?.slice(0, 3), path).toBe('200')
    } finally {
      await node.dispose()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

describe('a check of a configuration', () => {
  it('prints no secret', async () => {
    const node = await Millrace.start({
      pipelines: pipelinesFile(1),
      settings: `keystore.file: ${keystore}\nconfig.debug: true\nlog.level: trace\n`,
      args: ['-t'],
    })
    try {
      expect((await node.exit()).code).toBe(1)
      expect(node.stdout).toContain('The given configuration is invalid')
      expect((node.stdout + node.stderr).match(everyCanary)).toBeNull()
    } finally {
      await node.dispose()
    }
  })
})
