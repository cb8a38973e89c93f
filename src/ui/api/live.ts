/**
 * The stats of the node, once a second, for every view: one stream that closes while nobody looks and opens again by
 * itself. Old snapshots are kept for two minutes, so that curves and rates need no further questions.
 */
import { computed, signal } from '@preact/signals'
import type { NodeStats } from './node-stats.ts'

export interface Snapshot {
  /** When it came, of the page's own clock. */
  readonly at: number
  readonly stats: NodeStats
}

type Connection = 'waiting' | 'live' | 'stale' | 'gone' | 'refused'

const interval = 1000
const staleAfter = 3 * interval
const goneAfter = 15_000
const maxDelay = 30_000
const maxSnapshots = 120
const hiddenGrace = 5000

export const snapshots = signal<readonly Snapshot[]>([])
export const connection = signal<Connection>('waiting')
/** When the next try is made, while the node is gone. */
export const nextTry = signal<number | undefined>(undefined)
/** The pipelines whose configuration was read anew since the page was opened. */
export const reloaded = signal(0)
export const latest = computed(() => snapshots.value.at(-1))

let source: EventSource | undefined
let failures = 0
let retry: number | undefined
let hiding: number | undefined
let lastHeard = Date.now()

export function startLive(): void {
  open()
  setInterval(look, 1000)
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = window.setTimeout(close, hiddenGrace)
    else if (source === undefined) tryNow()
  })
}

export function tryNow(): void {
  failures = 0
  open()
}

function open(): void {
  clearTimeout(retry)
  nextTry.value = undefined
  close()
  source = new EventSource(
    `/_node/stats/stream?interval=${interval}ms&metrics=pipelines,events,flow,process,jvm,reloads,queue`,
  )
  source.addEventListener('stats', ({ data }) => heard(data))
  source.addEventListener('reload', () => {
    reloaded.value += 1
  })
  source.addEventListener('error', lost)
}

function close(): void {
  source?.close()
  source = undefined
}

function heard(data: string): void {
  failures = 0
  lastHeard = Date.now()
  connection.value = 'live'
  const snapshot = { at: lastHeard, stats: JSON.parse(data) as NodeStats }
  snapshots.value = [...snapshots.value.slice(1 - maxSnapshots), snapshot]
}

function lost(): void {
  close()
  if (document.hidden) return
  failures += 1
  const delay = Math.min(maxDelay, 1000 * 2 ** (failures - 1))
  nextTry.value = Date.now() + delay
  retry = window.setTimeout(open, delay)
  look()
}

function look(): void {
  if (document.hidden) return
  const silence = Date.now() - lastHeard
  if (silence > goneAfter || (failures > 1 && silence > staleAfter)) connection.value = 'gone'
  else if (silence > staleAfter && connection.value === 'live') connection.value = 'stale'
}
