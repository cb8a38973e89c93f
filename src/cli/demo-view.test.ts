import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Board } from '../metrics/board.ts'
import { eventKeys } from '../metrics/pipeline-keys.ts'
import type { MillraceNode } from '../node.ts'
import { showDemo } from './demo-view.ts'

let shown = ''
const wasTerminal = process.stdout.isTTY

beforeEach(() => {
  shown = ''
  process.stdout.isTTY = false
  vi.useFakeTimers()
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    shown += text
    return true
  })
})

afterEach(() => {
  process.stdout.isTTY = wasTerminal
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('says what runs and what to try, then how many events went through, in plain lines', async () => {
  const board = Board.create(Object.values(eventKeys), 1)
  const plugins = [
    { type: 'input', name: 'tcp' },
    { type: 'filter', name: 'mutate' },
    { type: 'filter', name: 'mutate' },
    { type: 'output', name: 'stdout' },
  ]
  let end: (code: number) => void = () => {}
  const node = {
    apiAddress: '127.0.0.1:9601',
    dashboardUrl: 'http://127.0.0.1:9601/ui',
    searchAddress: '127.0.0.1:9201',
    searchReady: async () => '127.0.0.1:9201',
    agent: { pipelines: new Map([['demo', { id: 'demo', status: 'running', summary: { plugins }, board }]]) },
    exit: new Promise<number>((resolve) => {
      end = resolve
    }),
  }
  await showDemo(node as unknown as MillraceNode)
  expect(shown).toContain('pipeline demo: tcp → mutate → stdout\n')
  expect(shown).toContain('curl -d hello localhost:9580')
  expect(shown).toContain('curl "127.0.0.1:9601/_node/stats/events?pretty"')
  expect(shown).toContain('curl "127.0.0.1:9201/_search?size=5&from=10&pretty"')
  expect(shown).toMatch(/\n\nOpen in a browser: http:\/\/127\.0\.0\.1:9601\/ui\n\n$/)
  expect(shown).not.toContain('\u001b')
  shown = ''
  board.row(0)[board.column(eventKeys.in)] = 12
  board.row(0)[board.column(eventKeys.out)] = 11
  vi.advanceTimersByTime(5000)
  expect(shown).toBe('--- 12 events in, 11 out, 2.2 per second · http://127.0.0.1:9601/ui ---\n')
  end(0)
  await node.exit
  shown = ''
  await vi.advanceTimersByTimeAsync(20_000)
  expect(shown).toBe('')
})
