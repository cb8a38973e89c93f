/** Places that take files, for the tables of plugins: Amazon S3, HDFS, the command file of Nagios. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { TestAws } from './aws/test-server.ts'
import { TestService } from './outputs/test-service.ts'
import type { Peer } from './test-peers.ts'

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
const minute = /\d{4}-\d\d-\d\dT\d\d\.\d\d/g

function serviceOf(aws: TestAws): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-s3-'))
  const keys = 'access_key_id => "AKIATEST" secret_access_key => "secret"'
  return `endpoint => "${aws.url}" ${keys} temporary_directory => "${folder}"`
}

/** Holds objects: `{"bucket/key": "text"}`, packed where the name ends in `.gz`. Tells objects that are there besides. */
export async function bucketPeer(): Promise<Peer> {
  const aws = await TestAws.start()
  const given = new Set<string>()
  return {
    words: { SERVICE: serviceOf(aws) },
    give(what) {
      for (const [place, text] of Object.entries(what)) {
        given.add(place)
        const bytes = place.endsWith('.gz') ? gzipSync(String(text)) : String(text)
        // The service counts in seconds.
        aws.buckets.put(place, bytes, new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000))
      }
    },
    sent() {
      const gone = [...given].filter((place) => !aws.buckets.objects.has(place))
      for (const place of gone) given.delete(place)
      const made = [...aws.buckets.objects].filter(([place]) => !given.has(place))
      for (const [place] of made) aws.buckets.objects.delete(place)
      return [
        ...made.map(([place, { bytes }]) => ({ put: place, body: bytes.toString('utf8') })),
        ...gone.map((place) => ({ deleted: place })),
      ]
    },
    close: () => aws.close(),
  }
}

/** A bucket `b` for an output: tells each object with its name, UUID and TIME for what is never the same in it. */
export async function uploadsPeer(): Promise<Peer> {
  const aws = await TestAws.start()
  aws.buckets.names.add('b')
  return {
    words: { SERVICE: serviceOf(aws) },
    give() {},
    sent() {
      const objects = [...aws.buckets.objects].sort(([one], [other]) => (one < other ? -1 : 1))
      aws.buckets.objects.clear()
      return objects.map(([place, { bytes, headers }]) => ({
        key: place.slice(2).replace(uuid, 'UUID').replace(minute, 'TIME'),
        body: (place.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'),
        headers,
      }))
    },
    settle: async () => {
      for (let i = 0; i < 100 && aws.buckets.objects.size === 0; i++) await wait(20)
      await wait(50)
    },
    close: () => aws.close(),
  }
}

/** A name node and data node in one. Tells `{"op": "append", "path": …, "user": …, "body": …}`; files are there once created. */
export async function hdfsPeer(): Promise<Peer> {
  const service = await TestService.start()
  const files = new Set<string>()
  const written: Record<string, unknown>[] = []
  let refusal: number | undefined
  service.answers = [
    ({ method, path, parameters, body, headers }) => {
      const { op = '', data, step, 'user.name': user } = parameters
      const file = decodeURIComponent(path.replace('/webhdfs/v1', ''))
      if (refusal !== undefined) return { status: refusal, body: '{"RemoteException":{"message":"no"}}' }
      if (op === 'APPEND' && !files.has(file))
        return { status: 404, body: '{"RemoteException":{"exception":"FileNotFoundException"}}' }
      if (data !== 'true' && step === undefined) {
        const place = `${service.url}${path}?${new URLSearchParams({ ...parameters, step: '2' })}`
        return { status: 307, headers: { location: place } }
      }
      files.add(file)
      const type = headers['content-type']
      written.push({ op: op.toLowerCase(), method, path: file, user, type, body: body.toString('utf8') })
      return { status: op === 'CREATE' ? 201 : 200 }
    },
  ]
  return {
    words: { HDFS: `host => "127.0.0.1" port => ${service.port} user => "me"` },
    give({ status }) {
      refusal = status as number | undefined
    },
    sent: () => written.splice(0),
    settle: async () => {},
    close: () => service.close(),
  }
}

/** COMMANDFILE is a file; tells its lines, with the time at their beginning as 0. */
export async function commandFilePeer(): Promise<Peer> {
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-nagios-')), 'nagios.cmd')
  writeFileSync(path, '')
  return {
    words: { COMMANDFILE: path },
    give() {},
    sent() {
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      writeFileSync(path, '')
      return lines.map((line) => ({ line: line.replace(/^\[\d+\]/, '[0]') }))
    },
    settle: async () => {},
    close() {},
  }
}
