import { describe, expect, it } from 'vitest'
import { TraceRing } from './trace-ring.ts'

const trace = (key: string, size = 10) => ({
  keys: [key],
  text: 'x'.repeat(size),
  pipelineId: 'main',
  time: 0,
})

describe('the ring of traces', () => {
  it('finds a trace by its name and by the id of its document', () => {
    const ring = new TraceRing(10_000)
    ring.add(trace('m1-a'))
    expect(ring.find('m1-a')?.keys).toEqual(['m1-a'])
    expect(ring.find('m1-aAbCdEf')?.keys).toEqual(['m1-a'])
    expect(ring.find('other')).toBeUndefined()
  })

  it('stays within its bytes, oldest out first', () => {
    const ring = new TraceRing(5000)
    for (let i = 0; i < 100; i++) ring.add(trace(`k${i}`, 200))
    expect(ring.bytes).toBeLessThanOrEqual(5000)
    expect(ring.size).toBeGreaterThan(3)
    expect(ring.find('k0')).toBeUndefined()
    expect(ring.last(1)[0]?.keys).toEqual(['k99'])
    ring.add(trace('huge', 1e6))
    expect(ring.find('huge')).toBeUndefined()
  })
})
