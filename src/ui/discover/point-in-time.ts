/** The documents as they are when a search begins, so that its pages fit together while others are written. */
import { askSearch } from '../api/ask.ts'

export interface PointInTime {
  readonly id: string
  close(): void
}

/** Undefined where none can be had: pages then follow what is written. */
export async function openPointInTime(index: string): Promise<PointInTime | undefined> {
  const path = `/${encodeURIComponent(index)}/_pit?keep_alive=5m&ignore_unavailable=true`
  try {
    const { id } = await askSearch<{ id: string }>(path, { method: 'POST' })
    return {
      id,
      close: () => void askSearch('/_pit', { method: 'DELETE', body: { id } }).catch(() => undefined),
    }
  } catch {
    return undefined
  }
}
