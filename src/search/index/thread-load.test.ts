import { expect, it } from 'vitest'
import { ThreadLoad } from './thread-load.ts'

function search() {
  let end = () => {}
  const running = new Promise<void>((resolve) => {
    end = resolve
  })
  return { running, end: () => end() }
}

it('a long search waits for all others of its thread, a short one only for short ones', async () => {
  const load = new ThreadLoad(() => false)
  expect([load.before(false), load.before(true)]).toEqual([0, 0])
  const [long, short] = [search(), search()]
  const all = [load.during(long.running, true), load.during(short.running, false)]
  expect([load.before(false), load.before(true)]).toEqual([1, 2])
  short.end()
  await all[1]
  expect([load.before(false), load.before(true)]).toEqual([0, 1])
  long.end()
  await all[0]
  expect([load.before(false), load.before(true)]).toEqual([0, 0])
})

it('every search waits for a thread that writes documents', () => {
  const load = new ThreadLoad(() => true)
  expect(load.before(false)).toBeGreaterThan(1)
  expect(load.before(true)).toBe(load.before(false))
})

it('a search that fails is no longer counted', async () => {
  const load = new ThreadLoad(() => false)
  await expect(load.during(Promise.reject(new Error('no')), true)).rejects.toThrow('no')
  expect(load.before(true)).toBe(0)
})
