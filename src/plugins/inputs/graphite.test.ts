import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { inputFor } from '../../plugin/testing.ts'
import line from '../codecs/line.ts'
import { readMetric } from './graphite/metric-line.ts'
import graphite from './graphite.ts'

const now = new Timestamp(1000)

function metricOf(message: string): Event {
  const event = new Event({ '@timestamp': now, '@version': '1', message })
  readMetric(event)
  return event
}

describe('a line of Graphite', () => {
  it.each([
    ['mysql.slow_query.count 204 N', 'mysql.slow_query.count', 204, now],
    ['haproxy.live_backends 7 1364608909', 'haproxy.live_backends', 7, new Timestamp(1364608909000)],
    ['load.short 0.25 1364608909.9', 'load.short', 0.25, new Timestamp(1364608909000)],
    ['a 1', 'a', 1, now],
    ['  a\t-1e3  N ', 'a', -1000, now],
  ])('%j', (text, name, value, time) => {
    const event = metricOf(text)
    expect(Number(event.data[name])).toBe(value)
    expect(event.timestamp).toEqual(time)
    expect(event.get('message')).toBe(text)
    expect(event.include('tags')).toBe(false)
  })

  it.each(['', 'name', 'name x N', 'name 1 later', 'name 1 1e20', '@timestamp 1 N', 'tags 1 N'])(
    '%j is tagged',
    (text) => {
      const event = metricOf(text)
      expect(event.get('tags')).toEqual(['_graphiteparsefailure'])
      expect(event.timestamp).toEqual(now)
    },
  )

  it('takes 10,000 random and mutated lines', () => {
    let seed = 3
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    let tagged = 0
    for (let i = 0; i < 10_000; i++) {
      const bytes = Buffer.from('haproxy.live_backends 7 1364608909')
      for (let n = random(6); n > 0; n--) bytes[random(bytes.length)] = random(256)
      const event = metricOf(
        i % 3 === 0 ? bytes.toString('latin1') : bytes.subarray(random(30)).toString('utf8'),
      )
      if (event.include('tags')) tagged += 1
      else if (Object.keys(event.data).length < 4) throw new Error('neither metric nor tag')
    }
    expect(tagged).toBeGreaterThan(100)
  })
})

describe('graphite input', () => {
  it('reads lines of connections, however they are cut', async () => {
    const input = inputFor(graphite, { host: '127.0.0.1', port: 0, type: 'm' }, { codecs: [line] })
    await input.instance.register!()
    const ended = input.instance.run(input.sink)
    const start = input.environment.logger.lines.find(({ message }) => message.startsWith('Starting tcp'))
    const port = Number(/:(\d+)$/.exec(String(start!.fields!['address']))![1])
    const socket = connect(port, '127.0.0.1')
    socket.write('a.b 1 136460')
    await wait(20)
    socket.write('8909\r\n\nc 2 N\nnot a metric\n')
    socket.end('d 3 N')
    const events = await input.sink.waitFor(4)
    expect(events.map(({ message, tags, type }) => [message, tags, type])).toEqual([
      ['a.b 1 1364608909', undefined, 'm'],
      ['c 2 N', undefined, 'm'],
      ['not a metric', ['_graphiteparsefailure'], 'm'],
      ['d 3 N', undefined, 'm'],
    ])
    expect(input.sink.received[0]!.timestamp).toEqual(new Timestamp(1364608909000))
    expect(input.sink.received[0]!.get('host')).toBeTypeOf('string')
    await input.instance.stop()
    await ended
  })
})
