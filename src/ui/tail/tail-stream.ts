/**
 * Events of a running pipeline as they pass a plugin, from `/_node/pipelines/:id/_tap`. Closes while the page is hidden
 * or nobody has touched it for ten minutes, so that the pipeline shows its events only to somebody who looks.
 */
import { parseExact } from '../api/exact-json.ts'
import type { TailRow } from './tail-buffer.ts'

export interface TapCounts {
  /** One of so many events is shown. */
  readonly stride: number
  /** Left out since the stream was opened. */
  readonly dropped: number
}

export type TapState = 'connecting' | 'open' | 'lost' | 'hidden' | 'unattended'

interface TapListener {
  rows(rows: readonly TailRow[]): void
  counts(counts: TapCounts): void
  state(state: TapState): void
}

const unattendedMillis = 10 * 60_000
const retryMillis = 3000
const drawEvery = 200

export function openTap(address: string, listener: TapListener): () => void {
  let source: EventSource | undefined
  let retry: number | undefined
  let lastTouch = Date.now()
  let number = 0
  let pending: TailRow[] = []
  // Several rows are drawn at once: a person reads no faster.
  const drawing = setInterval(() => {
    if (pending.length > 0) listener.rows(pending)
    pending = []
  }, drawEvery)
  const close = (state: TapState) => {
    clearTimeout(retry)
    source?.close()
    source = undefined
    listener.state(state)
  }
  const open = () => {
    close('connecting')
    source = new EventSource(address)
    source.addEventListener('open', () => listener.state('open'))
    source.addEventListener('tap', ({ data }) => {
      const { time, before, after } = parseExact(data) as Omit<TailRow, 'id' | 'bytes'>
      number += 1
      pending.push({ id: number, time, before, after, bytes: data.length })
    })
    source.addEventListener('counts', ({ data }) =>
      listener.counts((JSON.parse(data) as { counts: TapCounts }).counts),
    )
    source.addEventListener('error', () => {
      close('lost')
      retry = window.setTimeout(open, retryMillis)
    })
  }
  const look = () => {
    if (document.hidden) {
      if (source !== undefined) close('hidden')
    } else if (Date.now() - lastTouch > unattendedMillis) {
      if (source !== undefined) close('unattended')
    } else if (source === undefined && retry === undefined) open()
  }
  const touch = () => {
    lastTouch = Date.now()
    if (source === undefined) {
      retry = undefined
      look()
    }
  }
  const touches = ['pointermove', 'keydown', 'visibilitychange'] as const
  for (const name of touches) document.addEventListener(name, touch, { passive: true })
  const timer = setInterval(look, 5000)
  open()
  return () => {
    clearInterval(timer)
    clearInterval(drawing)
    clearTimeout(retry)
    for (const name of touches) document.removeEventListener(name, touch)
    source?.close()
  }
}
