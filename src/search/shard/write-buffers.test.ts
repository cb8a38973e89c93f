import { expect, it } from 'vitest'
import { type WriteBuffer, WriteBuffers } from './write-buffers.ts'

/** A buffer whose flushes finish when the test says so. */
class Buffer implements WriteBuffer {
  activeBytes = 0
  writingBytes = 0
  flushes = 0
  end: () => void = () => {}
  fail: () => void = () => {}

  get heldBytes(): number {
    return this.activeBytes + this.writingBytes
  }

  flush(): Promise<void> {
    this.flushes += 1
    this.writingBytes = this.activeBytes
    this.activeBytes = 0
    return new Promise((resolve, reject) => {
      this.end = () => {
        this.writingBytes = 0
        resolve()
      }
      this.fail = () => reject(new Error('no space left'))
    })
  }
}

function buffersOf(max: number, count: number) {
  const all = new WriteBuffers(max)
  const list = Array.from({ length: count }, () => new Buffer())
  for (const one of list) all.add(one)
  const write = (number: number, bytes: number) => {
    list[number]!.activeBytes += bytes
    return all.afterWrite(list[number]!)
  }
  return { all, list, write }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('flushes the largest buffer when all together fill half of the budget', () => {
  const { list, write } = buffersOf(100, 3)
  expect([write(0, 10), write(1, 25), write(2, 14)]).toEqual([undefined, undefined, undefined])
  expect(list.map(({ flushes }) => flushes)).toEqual([0, 0, 0])
  void write(0, 1)
  expect(list.map(({ flushes }) => flushes)).toEqual([0, 1, 0])
})

it('flushes one after the other until less than half is filled', async () => {
  const { list, write } = buffersOf(100, 3)
  void write(0, 45)
  void write(1, 44)
  expect(list.map(({ flushes }) => flushes)).toEqual([1, 0, 0])
  void write(2, 8)
  list[0]!.end()
  await settled()
  expect(list.map(({ flushes }) => flushes)).toEqual([1, 1, 0])
  list[1]!.end()
  await settled()
  expect(list.map(({ flushes }) => flushes)).toEqual([1, 1, 0])
})

it('makes writers wait while the budget is used up, and resumes them', async () => {
  const { list, write } = buffersOf(100, 1)
  expect(write(0, 60)).toBeUndefined()
  const room = write(0, 50)
  expect(room).toBeInstanceOf(Promise)
  let isThere = false
  const waited = room!.then(() => {
    isThere = true
  })
  await settled()
  expect(isThere).toBe(false)
  list[0]!.end()
  await settled()
  list[0]!.end()
  await waited
})

it('does not wait forever for a disk that takes nothing', async () => {
  const { list, write } = buffersOf(100, 1)
  void write(0, 60)
  const room = write(0, 50)
  list[0]!.fail()
  await room
})

it('stops counting a removed buffer', () => {
  const { all, list, write } = buffersOf(100, 2)
  void write(0, 49)
  all.remove(list[0]!)
  expect(all.heldBytes).toBe(0)
  expect(write(1, 49)).toBeUndefined()
  expect(list[1]!.flushes).toBe(0)
})

it('flushes under memory pressure only buffers that are worth it', () => {
  const { all, list, write } = buffersOf(1000, 2)
  void write(0, 10)
  void write(1, 60)
  all.flushLargest(100)
  expect(list.map(({ flushes }) => flushes)).toEqual([0, 0])
  all.flushLargest(50)
  expect(list.map(({ flushes }) => flushes)).toEqual([0, 1])
})
