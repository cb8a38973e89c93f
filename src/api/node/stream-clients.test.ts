import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outlet } from '../../http/respond.ts'
import { StatsStreams } from './stream-clients.ts'
import { testAgent } from './testing.ts'
import type { NodeView } from './view.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A client that takes everything, until it is told to stop reading. */
function client() {
  const closed = new AbortController()
  const state = { text: '', reads: true, waiting: 0, dropped: false }
  const outlet: Outlet = {
    write(text) {
      state.text += text
      if (!state.reads) state.waiting += text.length
    },
    get waiting() {
      return state.waiting
    },
    end: () => closed.abort(),
    drop() {
      state.dropped = true
      closed.abort()
    },
    closed: closed.signal,
  }
  return { state, outlet, close: () => closed.abort() }
}

function streams() {
  const closing = new AbortController()
  const asked: string[] = []
  const node = { agent: testAgent(), closing: closing.signal } as unknown as NodeView
  const hub = new StatsStreams(node, async (path) => {
    asked.push(path)
    return { n: asked.length }
  })
  return { hub, asked, closing }
}

const second = { path: '/_node/stats', interval: 1000 }

describe('listeners', () => {
  it('that want the same share one question', async () => {
    const { hub, asked } = streams()
    const [one, two, other] = [client(), client(), client()]
    for (const { outlet } of [one, two]) hub.add(outlet, second, { n: 0 })
    hub.add(other.outlet, { path: '/_node/stats/jvm,', interval: 1000 }, { n: 0 })
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked.sort()).toEqual(['/_node/stats', '/_node/stats', '/_node/stats/jvm,', '/_node/stats/jvm,'])
    expect(one.state.text).toBe(two.state.text)
    expect(one.state.text).toMatch(
      /^retry: 3000\n\nevent: stats\nid: 0\ndata: \{"n":0\}\n\nevent: stats\nid: 1\n/,
    )
  })

  it('leave nothing running when they go', async () => {
    const { hub, asked } = streams()
    const one = client()
    hub.add(one.outlet, second, {})
    one.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that do not read get nothing more, and are dropped in the end', async () => {
    const { hub } = streams()
    const slow = client()
    slow.state.reads = false
    hub.add(slow.outlet, second, {})
    const { length } = slow.state.text
    await vi.advanceTimersByTimeAsync(9000)
    expect([slow.state.text.length, slow.state.dropped]).toEqual([length, false])
    await vi.advanceTimersByTimeAsync(4000)
    expect([slow.state.text.length, slow.state.dropped]).toEqual([length, true])
  })

  it('that catch up in time stay', async () => {
    const { hub } = streams()
    const slow = client()
    slow.state.reads = false
    hub.add(slow.outlet, second, {})
    await vi.advanceTimersByTimeAsync(8000)
    Object.assign(slow.state, { reads: true, waiting: 0 })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(slow.state.dropped).toBe(false)
    expect(slow.state.text.match(/^id: /gm)!.length).toBeGreaterThan(25)
  })

  it('hear a comment when there is nothing to say', async () => {
    const { hub } = streams()
    const one = client()
    hub.add(one.outlet, { path: '/_node/stats', interval: 60_000 }, {})
    await vi.advanceTimersByTimeAsync(50_000)
    expect(one.state.text.match(/^: keep-alive$/gm)!.length).toBe(3)
  })

  it('are let go when the API closes', () => {
    const { hub, closing } = streams()
    const [one, slow] = [client(), client()]
    slow.state.reads = false
    for (const { outlet } of [one, slow]) hub.add(outlet, second, {})
    closing.abort()
    expect([one, slow].map(({ outlet }) => outlet.closed.aborted)).toEqual([true, true])
    expect([one.state.dropped, slow.state.dropped]).toEqual([false, true])
    expect(vi.getTimerCount()).toBe(0)
  })
})
