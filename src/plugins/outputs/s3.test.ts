import { appendFileSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { block, outputFor, type TestOptions, type TestOutput } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import line from '../codecs/line.ts'
import { normalizePrefix } from './s3/options.ts'
import { rotationOf } from './s3/rotation.ts'
import { folderFacts } from './s3/temporary-file.ts'
import s3 from './s3.ts'

let aws: TestAws
let folder: string
const running: TestOutput[] = []

beforeEach(async () => {
  aws = await TestAws.start()
  aws.buckets.names.add('logs')
  folder = mkdtempSync(join(tmpdir(), 's3-output-'))
})
afterEach(async () => {
  for (const output of running.splice(0)) {
    output.environment.stop()
    await output.instance.close?.()
  }
  await aws.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(options: TestOptions = {}): Promise<TestOutput> {
  const output = outputFor(
    s3,
    {
      ...aws.options,
      bucket: 'logs',
      temporary_directory: folder,
      codec: block('line', { format: '%{message}' }),
      retry_delay: 0.05,
      ...options,
    },
    { codecs: [line] },
  )
  running.push(output)
  await output.instance.register?.()
  return output
}

function contents(): Record<string, string> {
  return Object.fromEntries([...aws.buckets.objects].map(([place, { bytes }]) => [place, bytes.toString()]))
}

function uploaded(): [place: string, text: string][] {
  return Object.entries(contents()).filter(([place]) => !place.includes('programmatic-access'))
}

const events = (...messages: string[]) => messages.map((message) => ({ message }))

describe('when a file is full', () => {
  const file = (size: number, minutes: number) => ({ size, created: 1_000_000 - minutes * 60_000 })
  it.each([
    ['size', file(9, 99), false],
    ['size', file(10, 0), true],
    ['time', file(99, 4), false],
    ['time', file(1, 5), true],
    ['time', file(0, 99), false],
    ['size_and_time', file(9, 4), false],
    ['size_and_time', file(10, 0), true],
    ['size_and_time', file(1, 5), true],
  ] as const)('%s: %o is full: %s', (rotation_strategy, given, full) => {
    expect(rotationOf({ rotation_strategy, size_file: 10, time_file: 5 })(given, 1_000_000)).toBe(full)
  })
})

describe('s3 output', () => {
  it('uploads a file when it has the size, under the name that Logstash gives it', async () => {
    const { deliver } = await start({ size_file: 8, tags: ['a', 'b'], prefix: 'in/%{kind}/' })
    await deliver([
      { message: 'one', kind: 'x' },
      { message: 'two', kind: 'y' },
    ])
    await deliver([{ message: 'three', kind: 'x' }])
    await eventually(() => expect(uploaded()).toHaveLength(1))
    const [[place, text]] = uploaded() as [[string, string]]
    expect(place).toMatch(
      /^logs\/in\/x\/ls\.s3\.[0-9a-f-]{36}\.\d{4}-\d\d-\d\dT\d\d\.\d\d\.tag_a\.b\.part0\.txt$/,
    )
    expect(text).toBe('one\nthree\n')
    await deliver([{ message: 'and four', kind: 'x' }])
    await eventually(() => expect(uploaded().map(([name]) => name.replace(/.*part/, ''))).toContain('1.txt'))
  })

  it('uploads the rest when the pipeline ends, and leaves no file behind', async () => {
    const { deliver, instance } = await start()
    await deliver(events('a', 'b'))
    expect(uploaded()).toEqual([])
    await instance.close!()
    expect(uploaded().map(([, text]) => text)).toEqual(['a\nb\n'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('says what the service is to do with objects', async () => {
    const { deliver, instance } = await start({
      encoding: 'gzip',
      canned_acl: 'bucket-owner-read',
      server_side_encryption: true,
      server_side_encryption_algorithm: 'aws:kms',
      ssekms_key_id: 'key-1',
      storage_class: 'STANDARD_IA',
    })
    await deliver(events('a'))
    await deliver(events('b'))
    await instance.close!()
    const [place, object] = [...aws.buckets.objects].find(([name]) => name.includes('ls.s3'))!
    expect(place).toMatch(/\.part0\.txt\.gz$/)
    expect(gunzipSync(object!.bytes).toString()).toBe('a\nb\n')
    expect(object!.headers).toMatchObject({
      'content-encoding': 'gzip',
      'x-amz-acl': 'bucket-owner-read',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
      'x-amz-storage-class': 'STANDARD_IA',
    })
  })

  it('uploads large files in parts', async () => {
    const { deliver, instance } = await start({ upload_multipart_threshold: 1000 })
    const long = 'x'.repeat(6 * 1024 * 1024)
    await deliver(events(long))
    await instance.close!()
    expect(uploaded().map(([, text]) => text)).toEqual([`${long}\n`])
    expect(aws.buckets.requests.filter((request) => request.includes('partNumber'))).toHaveLength(2)
  })

  it('tries again until the service is back', async () => {
    const { deliver, environment } = await start({ size_file: 1, additional_settings: { retry_limit: 0 } })
    aws.isAway = true
    await deliver(events('a'))
    await eventually(() =>
      expect(environment.logger.messages('warn')).toContain('Uploading failed, retrying (#2 of Infinity)'),
    )
    aws.isAway = false
    await eventually(() => expect(uploaded().map(([, text]) => text)).toEqual(['a\n']))
  })

  it('gives up after retry_count further tries, and leaves the file to the next start', async () => {
    const { deliver, environment } = await start({
      size_file: 1,
      retry_count: 2,
      additional_settings: { retry_limit: 0 },
    })
    aws.isAway = true
    await deliver(events('a'))
    await eventually(() =>
      expect(environment.logger.messages('error')).toEqual(['Failed to upload file (retried 2 times).']),
    )
    expect(environment.logger.messages('warn')).toEqual([
      'Uploading failed, retrying (#1 of 2)',
      'Uploading failed, retrying (#2 of 2)',
    ])
    aws.isAway = false
    await start()
    await eventually(() => expect(uploaded().map(([, text]) => text)).toEqual(['a\n']))
  })

  it.each([
    [1, 1],
    [3, 3],
  ])('with upload_workers_count => %i uploads %i files at a time', async (upload_workers_count, most) => {
    const { deliver } = await start({
      size_file: 1,
      upload_workers_count,
      upload_queue_size: 10,
      prefix: '%{n}/',
    })
    const puts = () => aws.buckets.requests.filter((line) => line.startsWith('PUT logs/')).length
    const before = puts()
    aws.holdsBack = true
    await deliver(Array.from({ length: 6 }, (_, n) => ({ message: 'm', n })))
    await eventually(() => expect(aws.heldBack).toBe(most))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(aws.heldBack).toBe(most)
    expect(puts()).toBe(before)
    aws.letGo()
    await eventually(() => expect(uploaded()).toHaveLength(6))
  })

  it.each([
    [1, false],
    [10, true],
  ])(
    'with upload_queue_size => %i, six files that wait let events in: %s',
    async (upload_queue_size, isIn) => {
      const { deliver } = await start({
        size_file: 1,
        upload_workers_count: 1,
        upload_queue_size,
        prefix: '%{n}/',
      })
      aws.holdsBack = true
      let hasReturned = false
      const delivered = deliver(Array.from({ length: 6 }, (_, n) => ({ message: 'm', n }))).then(() => {
        hasReturned = true
      })
      await eventually(() => expect(aws.heldBack).toBe(1))
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(hasReturned).toBe(isIn)
      aws.letGo()
      await delivered
      await eventually(() => expect(uploaded()).toHaveLength(6))
    },
  )

  it('leaves a file that it cannot upload at the end to the next start', async () => {
    const first = await start({ additional_settings: { retry_limit: 0 } })
    await first.deliver(events('a'))
    aws.isAway = true
    await first.instance.close!()
    expect(uploaded()).toEqual([])
    aws.isAway = false
    await start()
    await eventually(() => expect(uploaded().map(([, text]) => text)).toEqual(['a\n']))
    await eventually(() => expect(readdirSync(folder)).toEqual([]))
  })

  it('uploads what a killed process has left, its own and those of Logstash, but not what grows', async () => {
    const uuid = '0f0f0f0f-0000-4000-8000-00000000000'
    const put = async (name: string, path: string, text: string | Buffer, isOld = true) => {
      const place = join(folder, name, path)
      await mkdir(join(place, '..'), { recursive: true })
      await writeFile(place, text)
      if (isOld) utimesSync(join(folder, name), new Date(0), new Date(0))
    }
    const gzip = gzipSync('whole\n')
    await put(`${uuid}1`, 'a/b/ls.s3.1.part0.txt', 'of Logstash\n')
    await put(`${uuid}2@logs`, 'ls.s3.2.part0.txt', 'ours\n')
    await put(`${uuid}3@other`, 'ls.s3.3.part0.txt', 'of another bucket\n')
    await put(`${uuid}4@logs`, 'ls.s3.4.part0.txt', 'still growing\n', false)
    await put(
      `${uuid}5`,
      'ls.s3.5.part0.txt.gz',
      Buffer.concat([gzip, gzip, gzipSync('torn').subarray(0, 20)]),
    )
    await put('unrelated', 'x.txt', 'not ours')
    await start()
    await eventually(() => expect(uploaded()).toHaveLength(3))
    const found = Object.fromEntries(uploaded())
    expect(found['logs/a/b/ls.s3.1.part0.txt']).toBe('of Logstash\n')
    expect(found['logs/ls.s3.2.part0.txt']).toBe('ours\n')
    const torn = gunzipSync(aws.buckets.objects.get('logs/ls.s3.5.part0.txt.gz')!.bytes).toString()
    expect(torn).toMatch(/^whole\nwhole\n/)
    await eventually(() =>
      expect(readdirSync(folder).sort()).toEqual([`${uuid}3@other`, `${uuid}4@logs`, 'unrelated'].sort()),
    )
  })

  it('does not restore when it is told not to', async () => {
    const first = await start({ additional_settings: { retry_limit: 0 } })
    await first.deliver(events('a'))
    const [name] = readdirSync(folder)
    renameSync(join(folder, name!), join(folder, `${name}.left`))
    await start({ restore: false })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(uploaded()).toEqual([])
    expect(readdirSync(folder)).toEqual([`${name}.left`])
    appendFileSync(join(folder, 'end'), '')
  })

  it('fails to start when the bucket is refused, but not when nobody answers', async () => {
    await expect(start({ bucket: 'missing' })).rejects.toThrow(
      'Logstash must have the privileges to write to root bucket `missing`, check your credentials or your permissions.',
    )
    await start({ bucket: 'missing', validate_credentials_on_root_bucket: false })
    aws.isAway = true
    const { environment } = await start({ additional_settings: { retry_limit: 0 } })
    expect(environment.logger.messages('error')).toContain('Error validating bucket write permissions!')
  })

  it('takes its test object away again', async () => {
    await start()
    expect(aws.buckets.requests.filter((line) => line.includes('programmatic-access-test'))).toEqual([
      expect.stringMatching(/^PUT /),
      expect.stringMatching(/^DELETE /),
    ])
    expect(contents()).toEqual({})
  })

  it.each([
    [{ prefix: 'a>b' }, 'Prefix must not contains: ^`><'],
    [{ size_file: 0, time_file: 0 }, 'The S3 plugin must have at least one of time_file or size_file'],
    [{ size_file: 0, rotation_strategy: 'size' }, '`size_file` need to be greather than 0'],
    [{ time_file: 0 }, '`time_file` need to be greather than 0'],
  ])('refuses %o', async (options, message) => {
    await expect(start(options as TestOptions)).rejects.toThrow(message)
  })

  it('keeps files inside their folder, whatever an event says', async () => {
    const { deliver, instance } = await start({ prefix: '%{p}' })
    await deliver([
      { message: 'up', p: '../../../up/' },
      { message: 'long', p: `${'n'.repeat(300)}/` },
    ]).catch((error: Error) => expect(error.name).toBe('Undelivered'))
    await instance.close!()
    expect(uploaded().map(([place]) => place.replace(/ls\.s3.*/, ''))).toEqual(['logs/__/__/__/up/'])
  })

  it.each([
    ['a^b`c>d<e', 'a_b_c_d_e'],
    ['../x/./y', '__/x/_/y'],
    ['plain/', 'plain/'],
  ])('makes %j a prefix', (given, prefix) => expect(normalizePrefix(given)).toBe(prefix))

  it.each([
    ['0f0f0f0f-0000-4000-8000-000000000001', { bucket: undefined, isLeft: false }],
    ['0f0f0f0f-0000-4000-8000-000000000001@a%2Fb', { bucket: 'a/b', isLeft: false }],
    ['0f0f0f0f-0000-4000-8000-000000000001@a.left', { bucket: 'a', isLeft: true }],
    ['logs', undefined],
  ])('reads the folder name %j', (name, facts) => expect(folderFacts(name)).toEqual(facts))
})
