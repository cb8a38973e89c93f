import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { block, outputFor, type TestOptions } from '../../plugin/testing.ts'
import line from '../codecs/line.ts'
import file from './file.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-file-'))
})

const messages = block('line', { format: '%{message}' })
const read = (path: string) => readFile(join(root, path), 'utf8')

async function output(path: string, options: TestOptions = {}) {
  const output = outputFor(file, { codec: messages, ...options, path: join(root, path) }, { codecs: [line] })
  await output.instance.register!()
  return output
}

describe('file', () => {
  it('appends, and creates folders', async () => {
    const { deliver, instance } = await output('a/b/out.log')
    await deliver([{ message: '1' }, { message: '2' }])
    await deliver([{ message: '3' }])
    expect(await read('a/b/out.log')).toBe('1\n2\n3\n')
    await instance.close!()
    const again = await output('a/b/out.log')
    await again.deliver([{ message: '4' }])
    await again.instance.close!()
    expect(await read('a/b/out.log')).toBe('1\n2\n3\n4\n')
  })

  it('writes lines of JSON by default', async () => {
    const { codecName } = outputFor(file, { path: join(root, 'x') })
    expect(codecName).toBe('json_lines')
  })

  it('picks the file by event', async () => {
    const { deliver, instance } = await output('%{host}/%{+YYYY-MM-dd}.log')
    const blocks = await deliver([
      { host: 'a', message: '1' },
      { host: 'b', message: '2' },
      { host: 'a', message: '3' },
    ])
    expect(blocks).toHaveLength(2)
    expect(await read('a/2015-10-01.log')).toBe('1\n3\n')
    expect(await read('b/2015-10-01.log')).toBe('2\n')
    await instance.close!()
  })

  it.each(['../../escaped', '../', 'a\0b'])('does not let %j lead out of the fixed folder', async (host) => {
    const { deliver, instance, environment } = await output('logs/%{host}')
    await deliver([
      { host, message: 'bad' },
      { host: 'good', message: 'fine' },
    ])
    expect(await read('logs/_filepath_failures')).toBe('bad\n')
    expect(await read('logs/good')).toBe('fine\n')
    expect(await readdir(root)).toEqual(['logs'])
    expect(environment.logger.messages('warn')).toEqual([
      'File: the event tried to write outside the files root, writing the event to the failure file',
    ])
    await instance.close!()
  })

  it('puts names no system takes into the failure file instead of waiting for ever', async () => {
    const { deliver, instance } = await output('%{host}.log', { filename_failure: 'odd' })
    await deliver([{ host: 'x'.repeat(300), message: 'long' }])
    expect(await read('odd')).toBe('long\n')
    await instance.close!()
  })

  it('wants a fixed first folder', () => {
    for (const path of ['/%{a}/b', '/x-%{a}/b', '/%{a}']) {
      expect(() => outputFor(file, { path })).toThrow('The starting part of the path should not be dynamic.')
    }
  })

  it('opens a removed file again', async () => {
    const { deliver, instance } = await output('out')
    await deliver([{ message: '1' }])
    await rm(join(root, 'out'))
    await deliver([{ message: '2' }])
    expect(await read('out')).toBe('2\n')
    await instance.close!()
  })

  it('leaves missing files alone with create_if_deleted off', async () => {
    await writeFile(join(root, 'there'), '')
    const { deliver, instance } = await output('%{f}', { create_if_deleted: false })
    await deliver([
      { f: 'there', message: '1' },
      { f: 'missing', message: '2' },
    ])
    expect(await read('there')).toBe('1\n')
    expect(await read('_filepath_failures')).toBe('2\n')
    expect((await readdir(root)).sort()).toEqual(['_filepath_failures', 'there'])
    await instance.close!()
  })

  it('keeps the latest event only when it overwrites', async () => {
    const { deliver, instance } = await output('out', { write_behavior: 'overwrite' })
    const blocks = await deliver([{ message: 'a long first one' }, { message: 'second' }])
    expect(blocks[0]!.count).toBe(2)
    expect(await read('out')).toBe('second\n')
    await deliver([{ message: '3' }])
    expect(await read('out')).toBe('3\n')
    await instance.close!()
  })

  it('compresses, readable after every batch', async () => {
    const { deliver, instance } = await output('out.gz', { gzip: true })
    await deliver([{ message: '1' }])
    expect(gunzipSync(await readFile(join(root, 'out.gz'))).toString()).toBe('1\n')
    await deliver([{ message: '2' }])
    expect(gunzipSync(await readFile(join(root, 'out.gz'))).toString()).toBe('1\n2\n')
    await instance.close!()
  })

  it('sets modes of what it creates', async () => {
    const { deliver, instance } = await output('d/e/out', { dir_mode: 0o750, file_mode: 0o604 })
    await deliver([{ message: '1' }])
    expect((await stat(join(root, 'd'))).mode & 0o777).toBe(0o750)
    expect((await stat(join(root, 'd/e'))).mode & 0o777).toBe(0o750)
    expect((await stat(join(root, 'd/e/out'))).mode & 0o777).toBe(0o604)
    await instance.close!()
  })

  it('tries again until the file can be written', async () => {
    await writeFile(join(root, 'blocked'), 'a file where a folder should be')
    const { deliver, instance, environment } = await output('blocked/out')
    const delivered = deliver([{ message: '1' }])
    await new Promise((resolve) => setTimeout(resolve, 100))
    await rm(join(root, 'blocked'))
    await delivered
    expect(await read('blocked/out')).toBe('1\n')
    expect(environment.logger.messages('error')).toEqual(['File: writing failed, will retry'])
    await instance.close!()
  })

  describe.skipIf(process.platform === 'win32')('into a named pipe', () => {
    beforeEach(() => execFileSync('mkfifo', [join(root, 'pipe')]))

    it('waits for a reader without holding up the thread pool', async () => {
      const outputs = await Promise.all(Array.from({ length: 8 }, () => output('pipe')))
      const delivered = outputs.map(({ deliver }, i) => deliver([{ message: String(i) }]))
      // Eight calls that do not return would be the whole pool.
      expect((await stat(root)).isDirectory()).toBe(true)
      const reader = spawn('cat', [join(root, 'pipe')], { stdio: ['ignore', 'pipe', 'inherit'] })
      const text = reader.stdout.setEncoding('utf8').reduce((all: string, piece: string) => all + piece, '')
      await Promise.all(delivered)
      for (const { instance, environment } of outputs) {
        await instance.close!()
        expect(environment.logger.messages('error').length).toBeLessThan(10)
      }
      expect((await text).split('\n').toSorted()).toEqual(['', '0', '1', '2', '3', '4', '5', '6', '7'])
    })

    it('is as slow as its reader, who gets everything', async () => {
      const reader = spawn('sh', ['-c', `(sleep 0.3; cat) < ${join(root, 'pipe')} | cksum`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const sum = reader.stdout.setEncoding('utf8').reduce((all: string, piece: string) => all + piece, '')
      const { deliver, instance, environment } = await output('pipe')
      const messages = Array.from({ length: 20_000 }, (_, i) => ({ message: `${i} ${'x'.repeat(20)}` }))
      await deliver(messages)
      await instance.close!()
      const expected = execFileSync('cksum', {
        input: messages.map(({ message }) => `${message}\n`).join(''),
      })
      expect((await sum).trim()).toBe(expected.toString().trim())
      const complaints = environment.logger.messages('error')
      expect(complaints.filter((text) => text !== 'File: writing failed, will retry')).toEqual([])
    })
  })

  it('stops waiting when the pipeline has to stop', async () => {
    await writeFile(join(root, 'blocked'), '')
    const { deliver, environment } = await output('blocked/out')
    const delivered = deliver([{ message: '1' }])
    setTimeout(() => environment.stop(), 50)
    await expect(delivered).rejects.toThrow()
  })

  it('takes message_format as format of the line codec', async () => {
    const { deliver, instance, codecName } = await output('x', {
      codec: undefined,
      message_format: '<%{a}>',
    })
    expect(codecName).toBe('line')
    await deliver([{ a: 1 }, { a: 2 }])
    await instance.close!()
    expect(await read('x')).toBe('<1>\n<2>\n')
  })
})
