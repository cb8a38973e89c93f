import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import type { CodecInstance, StreamDecoder } from '../../plugin/define.ts'
import { type Frame, settleFrame } from './frame.ts'
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

describe('a stateful codec that holds records back', () => {
  /** Joins records until one ends with a full stop. */
  function joining(): StreamDecoder {
    let kept: string[] = []
    return {
      get isHolding() {
        return kept.length > 0
      },
      decode(text, emit) {
        kept.push(text)
        if (text.endsWith('.')) this.flush(emit, null as never)
      },
      flush(emit) {
        if (kept.length > 0) emit(Event.from({ message: kept.join(' ') }))
        kept = []
      },
    }
  }

  it('makes a write wait for the event that has its last records', async () => {
    const frames: Frame[] = []
    const made = new InputPort({ decoder: joining, delimiter: Buffer.from('\n') })
    made.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
    const stream = made.stream({})
    const out: number[] = []
    const write = (text: string, number: number) => stream.write(Buffer.from(text), () => out.push(number))
    await write('a.\nb\n', 1)
    await write('c\n', 2)
    expect(frames).toHaveLength(1)
    settleFrame(frames[0]!)
    expect(out).toEqual([])
    await write('d.\n', 3)
    await write('e.\n', 4)
    settleFrame(frames[2]!)
    expect(out).toEqual([4])
    settleFrame(frames[1]!)
    expect(out.sort()).toEqual([1, 2, 3, 4])
    await write('f\n', 5)
    await stream.end()
    expect(out).toHaveLength(4)
    settleFrame(frames[3]!)
    expect(out).toHaveLength(5)
  })

  it('waits for its own events as well', async () => {
    const frames: Frame[] = []
    const made = new InputPort({ decoder: joining, delimiter: Buffer.from('\n') })
    made.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
    const stream = made.stream({})
    const out: number[] = []
    await stream.write(Buffer.from('a.\nb\n'), () => out.push(1))
    await stream.end(() => out.push(2))
    settleFrame(frames[1]!)
    expect(out).toEqual([2])
    settleFrame(frames[0]!)
    expect(out).toEqual([2, 1])
  })
})

describe('a payload for a stateful codec', () => {
  it('is safe when all its events are, those of its end and those before', async () => {
    const last: StreamDecoder = {
      decode: (text, emit) => emit(Event.from({ message: text })),
      flush: (emit) => emit(Event.from({ message: 'end' })),
    }
    const frames: Frame[] = []
    const made = new InputPort({ decoder: () => last, delimiter: Buffer.from('\n') })
    made.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
    let isSafe = false
    await made.record(
      Buffer.from('a\n'),
      {},
      {
        done: () => {
          isSafe = true
        },
      },
    )
    expect(frames).toHaveLength(2)
    settleFrame(frames[1]!)
    expect(isSafe).toBe(false)
    settleFrame(frames[0]!)
    expect(isSafe).toBe(true)
  })
})

describe('a record that is too long', () => {
  const codec: CodecInstance = { delimiter: Buffer.from('\n'), maxRecordBytes: 4, decode() {} }

  function recorded() {
    const frames: Frame[] = []
    const made = new InputPort(codec)
    made.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
    return {
      made,
      frames,
      texts: () => frames.map(({ bytes, ends }) => Buffer.from(bytes!).toString('utf8', 0, ends!.at(-1))),
    }
  }

  it('is a frame of its own that says so, between frames of whole records', async () => {
    const { made, frames, texts } = recorded()
    await made.record(Buffer.from('a\nb\nlonger\nc\nd'), {})
    expect(texts()).toEqual(['a\nb', 'long', 'c', 'd'])
    expect(frames.map(({ fault }) => fault?.kind)).toEqual([undefined, 'truncated', undefined, undefined])
  })

  it('is out before anybody hears that what follows it in the stream is out', async () => {
    const { made, frames } = recorded()
    const stream = made.stream({})
    const out: string[] = []
    await stream.write(Buffer.from('longer'))
    await stream.write(Buffer.from('\n'), () => out.push('its end'))
    await stream.write(Buffer.from('x\n'), () => out.push('x'))
    expect(out).toEqual([])
    settleFrame(frames[1]!)
    expect(out).toEqual([])
    settleFrame(frames[0]!)
    expect(out.sort()).toEqual(['its end', 'x'])
  })
})

describe('a stateful codec that fails', () => {
  it('leaves the bytes of the record in a frame that says so, and reads on', async () => {
    const failing: StreamDecoder = {
      decode(text, emit) {
        if (text === 'bad') throw new TypeError('no')
        emit(Event.from({ message: text }))
      },
      flush() {
        throw new Error('not even that')
      },
    }
    const frames: Frame[] = []
    const made = new InputPort({ decoder: () => failing, delimiter: Buffer.from('\n') })
    made.redirect({ input: 0, accept: (frame) => void frames.push(frame) })
    await made.record(Buffer.from('a\nbad\nb\n'), {})
    const shown = frames.map(({ events, bytes, fault }) => [
      events?.map((event) => event.get('message')) ?? Buffer.from(bytes!).toString(),
      fault?.kind,
    ])
    expect(shown).toEqual([
      [['a'], undefined],
      ['bad', 'undecodable'],
      [['b'], undefined],
      ['', 'undecodable'],
    ])
  })
})

describe('a codec whose payloads come packed', () => {
  const packed = (fails: boolean): CodecInstance => ({
    delimiter: Buffer.from('\n'),
    async *unpack(payload) {
      for (const letter of payload) yield Buffer.of(letter)
      if (fails) throw new Error('damaged')
    },
    decode: () => {},
  })

  async function frames(codec: CodecInstance, payload: string) {
    const made: Frame[] = []
    const port = new InputPort(codec)
    port.redirect({ input: 0, accept: (frame) => void made.push(frame) })
    let isDone = false
    await port.record(Buffer.from(payload), {}, { done: () => (isDone = true) })
    const before = isDone
    for (const frame of made) settleFrame(frame)
    const texts = made.map(({ bytes, ends }) => Buffer.from(bytes!).toString('utf8', 0, ends![0]))
    return { texts, before, after: isDone }
  }

  it('gives its records, and is done when all of them are out', async () => {
    expect(await frames(packed(false), 'ab\nc\nd')).toEqual({
      texts: ['ab', 'c', 'd'],
      before: false,
      after: true,
    })
  })

  it('drops the part of a record behind which it is damaged', async () => {
    expect(await frames(packed(true), 'ab\nc')).toEqual({ texts: ['ab'], before: false, after: true })
  })

  it('is done at once when there is nothing in it', async () => {
    expect(await frames(packed(true), '')).toEqual({ texts: [], before: true, after: true })
  })
})
