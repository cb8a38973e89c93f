import { expect, it, vi } from 'vitest'
import type { ReadRequest } from '../index/search-readers.ts'
import type { FromReader, ToReader } from './messages.ts'
import { ReaderPool } from './reader-pool.ts'

/** A thread that only notes what it is told. */
function startedReaders() {
  const threads: {
    readonly said: ToReader[]
    readonly handlers: { message(message: FromReader): void; lost(): void }
    isClosed: boolean
  }[] = []
  const pool = new ReaderPool({
    maxReaders: 2,
    start(handlers) {
      const thread = { said: [] as ToReader[], handlers, isClosed: false }
      threads.push(thread)
      return {
        post: (message) => thread.said.push(message),
        async close() {
          thread.isClosed = true
        },
      }
    },
  })
  return { pool, threads }
}

const plainRequest: ReadRequest = {
  kind: 'search',
  call: {
    body: undefined,
    bodyText: new Uint8Array(0),
    parameters: new Map(),
    namesIndices: false,
    signal: new AbortController().signal,
  },
  node: 'n',
  indices: [],
  environment: { now: 0, maxClauses: 1024, allowExpensive: true, isOpenSearch: false, isStrict: false },
  scripts: {},
  dialect: 'jackson2',
  maxBuckets: 100,
  maxAnswerBytes: 1000,
}

it('gives a reader nothing while the caller is idle, or has no more to do than the reader', () => {
  const { pool, threads } = startedReaders()
  expect(pool.read(plainRequest, 0)).toBeUndefined()
  expect(threads.length).toBe(0)
  expect(pool.read(plainRequest, 1)).toBeUndefined()
  expect(threads.length).toBe(1)
  expect(pool.read(plainRequest, 1)).toBeUndefined()
  threads[0]!.handlers.message({ kind: 'ready' })
  expect(pool.read(plainRequest, 1)).toBeInstanceOf(Promise)
  expect(pool.read(plainRequest, 1)).toBeUndefined()
  // That it was asked for in vain starts the second one, and no more.
  expect(threads.length).toBe(2)
  expect(pool.read(plainRequest, 1)).toBeUndefined()
  expect(threads.length).toBe(2)
})

it('leaves the searches of a reader that died to the caller, and starts another one later', async () => {
  const { pool, threads } = startedReaders()
  const clock = vi.spyOn(performance, 'now')
  clock.mockReturnValue(1_000)
  void pool.read(plainRequest, 1)
  threads[0]!.handlers.message({ kind: 'ready' })
  const reading = pool.read(plainRequest, 3)
  threads[0]!.handlers.lost()
  expect(await reading).toBeUndefined()
  expect(pool.read(plainRequest, 3)).toBeUndefined()
  expect(threads.length).toBe(1)
  clock.mockReturnValue(10_000)
  void pool.read(plainRequest, 3)
  expect(threads.length).toBe(2)
  clock.mockRestore()
})

it('passes an answer on and a cancellation through', async () => {
  const { pool, threads } = startedReaders()
  void pool.read(plainRequest, 1)
  const [thread] = threads
  thread!.handlers.message({ kind: 'ready' })
  const abort = new AbortController()
  const reading = pool.read({ ...plainRequest, call: { ...plainRequest.call, signal: abort.signal } }, 9)
  abort.abort()
  expect(thread!.said.at(-1)).toEqual({ kind: 'cancel', number: 0 })
  const hits = Buffer.from('{"total":1}')
  thread!.handlers.message({
    kind: 'answer',
    number: 0,
    members: [
      ['took', 1],
      ['hits', new Uint8Array(hits)],
    ],
  })
  expect(JSON.stringify(await reading)).toBe('{"took":1,"hits":{"total":1}}')
})
