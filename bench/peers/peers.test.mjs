// Finding peers, what they are given, and that one which fails is reported with its own words.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cases } from '../cases/index.mjs'
import { foundDuckdb } from './duckdb.mjs'
import { findProgram } from './find.mjs'
import { canRun, foundPeers, peerRun, peers } from './index.mjs'

const directory = mkdtempSync(join(tmpdir(), 'peers-'))
afterAll(() => rmSync(directory, { recursive: true }))

function programIn(folder, name, script) {
  const path = join(directory, folder, name)
  mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

test('a named directory comes before PATH, whether plain or an unpacked root', () => {
  const onPath = programIn('path', 'vector', 'exit 0')
  const environment = { PATH: join(directory, 'path') }
  expect(findProgram('vector', environment)).toEqual({ path: onPath, root: undefined })
  const unpacked = programIn('root/usr/sbin', 'vector', 'exit 0')
  const root = join(directory, 'root')
  expect(findProgram('vector', { ...environment, BENCH_PEERS: root })).toEqual({ path: unpacked, root })
  expect(findProgram('fluent-bit', { ...environment, BENCH_PEERS: root })).toBeUndefined()
})

test('found peers say their version and get the libraries of their root', () => {
  programIn('other/bin', 'rsyslogd', 'echo "rsyslogd  8.2302.0 (aka 2023.02)"')
  programIn('other/usr/lib/x', 'lib.so', '')
  const root = join(directory, 'other')
  const [found, ...more] = foundPeers({ PATH: '', BENCH_PEERS: root })
  expect(more).toEqual([])
  expect(found).toMatchObject({ name: 'rsyslogd', kind: 'peer', version: '8.2302.0' })
  expect(found.env.LD_LIBRARY_PATH).toContain(join(root, 'usr/lib/x'))
})

test.each(peers.flatMap((peer) => Object.keys(peer.cases).map((id) => [peer.program, id])))(
  '%s has a complete configuration for %s',
  (name, id) => {
    const each = cases.find((candidate) => candidate.id === id)
    expect(each?.kind).toBe('throughput')
    const peer = peers.find((candidate) => candidate.program === name)
    const place = {
      directory,
      input: '/in/put',
      output: join(directory, 'out'),
      port: 4567,
      sinkPort: 4568,
      feed: each.feed,
    }
    const { files, flags, ends } = peer.cases[id](place, {
      version: '3.38.1',
      config: 'PIPELINE',
      apiPort: 9,
    })
    const all = [...Object.values(files), ...flags].join('\n')
    expect(all).not.toMatch(/undefined|NaN|\[object/)
    expect(typeof ends).toBe('boolean')
    if (name === 'logstash') expect(all).toContain('PIPELINE')
    else if (each.output === 'file') expect(all).toMatch(/\bout\b/)
  },
)

test('a peer that fails is reported with its first line about an error', async () => {
  const path = programIn('broken', 'vector', 'echo starting >&2; echo "error: no such option" >&2; exit 3')
  const subject = { ...vectorSubject(path), name: 'vector' }
  const sample = await fileCase().run(subject, { events: 10, timeLimitMs: 20_000 })
  expect(sample).toEqual({ error: 'exit code 3', said: 'error: no such option' })
})

test('a peer is run in its work directory, and its lines are counted', async () => {
  const path = programIn('good', 'vector', 'cat > out')
  const sample = await fileCase().run(vectorSubject(path), { events: 10, timeLimitMs: 20_000 })
  expect(sample.digest).toEqual({ count: 10, unit: 'lines', sha256: undefined })
})

test('a peer runs only in the cases it knows', () => {
  const subject = vectorSubject('vector')
  expect(canRun(subject, 'apache-full')).toBe(true)
  expect(canRun(subject, 'cold-start')).toBe(false)
  expect(canRun({ kind: 'limit' }, 'cold-start')).toBe(true)
})

test('configuration files are written before the run', () => {
  const place = { directory, input: '/in', output: join(directory, 'out'), feed: 'file' }
  const { command } = peerRun(vectorSubject('/bin/vector'), 'file-json', place, {})
  expect(command).toEqual(['/bin/vector', '--quiet', '--config', join(directory, 'vector.toml')])
})

const fileCase = () => cases.find((each) => each.id === 'file-json')
const vectorSubject = (path) => ({
  name: 'vector',
  kind: 'peer',
  peer: peers.find((peer) => peer.program === 'vector'),
  path,
  env: {},
})

test('DuckDB is found where its package is, and its cases can run it', () => {
  const folder = join(directory, 'with-duckdb')
  expect(foundDuckdb({ MILLRACE_DUCKDB: folder })).toBeUndefined()
  const own = join(folder, 'node_modules', '@duckdb', 'node-api')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), '{ "version": "1.2.3", "main": "main.js" }')
  writeFileSync(join(own, 'main.js'), '')
  const found = foundDuckdb({ MILLRACE_DUCKDB: folder })
  expect(found).toMatchObject({ name: 'duckdb', version: '1.2.3', path: join(own, 'main.js') })
  const runnable = cases.filter((each) => canRun(found, each.id))
  expect(runnable.map(({ id }) => id).sort()).toEqual(['store-ingest', 'store-paging'])
  for (const { baselines } of runnable) expect(baselines.duckdb).toBeTypeOf('function')
})
