import { describe, expect, it } from 'vitest'
import { Event } from '../event/event.ts'
import type { CodecInstance, StreamDecoder } from '../plugin/define.ts'
import type { Frame } from './frame.ts'
import { InputPort } from './input-port.ts'

/** Holds everything back until it is flushed. */
function holding(idleMilliseconds: number | undefined): StreamDecoder {
  const kept: string[] = []
  return {
    decodeBytes: (bytes) => {
      kept.push(Buffer.from(bytes).toString('hex'))
    },
    idleMilliseconds,
    flush(emit) {
      for (const message of kept.splice(0)) emit(Event.from({ message }))
    },
  }
}

function port(codec: CodecInstance) {
  const frames: Frame[] = []
  const made = new InputPort(codec)
  made.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
  return {
    made,
    messages: () => frames.flatMap(({ events }) => events!.map((event) => event.get('message'))),
  }
}

describe('a stateful codec', () => {
  it('may decode bytes, and is flushed when a stream is idle', async () => {
    const { made, messages } = port({ decoder: () => holding(20) })
    const stream = made.stream({})
    await stream.write(Buffer.from([0xff, 0x00]))
    expect(messages()).toEqual([])
    await expect.poll(messages).toEqual(['ff00'])
    await stream.write(Buffer.from([1]))
    await stream.end()
    expect(messages()).toEqual(['ff00', '01'])
  })

  it('is flushed at the end only, unless it says otherwise', async () => {
    const { made, messages } = port({ decoder: () => holding(undefined), delimiter: Buffer.from('\n') })
    await made.record(Buffer.from('a\nb'), {})
    expect(messages()).toEqual(['61', '62'])
  })
})
