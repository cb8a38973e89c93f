/** Data of a question for as long as a part of the page is shown: asked anew when its key changes, cancelled when it goes. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export interface Loaded<T> {
  /** The last answer; kept while the next one is on its way, or failed. */
  readonly value: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  readonly again: () => void
}

/** `every`: asks again after so many milliseconds while the page is visible. */
export function useData<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  { every, keep = true }: { every?: number; keep?: boolean } = {},
): Loaded<T> {
  const [state, setState] = useState<{
    value: T | undefined
    error: unknown
    isLoading: boolean
    key?: string
  }>({
    value: undefined,
    error: undefined,
    isLoading: true,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  /** An answer that takes longer than the interval is waited for, not asked for anew. */
  const isBusy = useRef(false)
  latest.current = load
  const again = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => {
    if (key === undefined) return
    const ending = new AbortController()
    isBusy.current = true
    setState((before) => ({
      ...before,
      isLoading: true,
      ...(!keep && before.key !== key && { value: undefined, error: undefined }),
    }))
    latest.current(ending.signal).then(
      (value) => {
        if (ending.signal.aborted) return
        isBusy.current = false
        setState({ value, error: undefined, isLoading: false, key })
      },
      (error: unknown) => {
        if (ending.signal.aborted) return
        isBusy.current = false
        setState((before) => ({ ...before, error, isLoading: false, key }))
      },
    )
    return () => ending.abort()
  }, [key, round, keep])
  useEffect(() => {
    if (every === undefined) return
    const timer = setInterval(() => {
      if (!document.hidden && !isBusy.current) again()
    }, every)
    return () => clearInterval(timer)
  }, [every, again])
  return { value: state.value, error: state.error, isLoading: state.isLoading, again }
}
