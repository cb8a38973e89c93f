/** What differs between two texts, line by line: what is the same at both ends is left out but for some lines around. */
interface LineChange {
  readonly kind: 'same' | 'removed' | 'added'
  /** In the later text, or in the earlier one for what was removed; from 1. */
  readonly line: number
  readonly text: string
}

const around = 3

export function lineDifference(before: string, after: string): LineChange[] {
  const old = before.split('\n')
  const now = after.split('\n')
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  if (start === old.length && start === now.length) return []
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1
  const line = (kind: LineChange['kind'], list: readonly string[], index: number): LineChange => ({
    kind,
    line: index + 1,
    text: list[index]!,
  })
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  return [
    ...range(Math.max(0, start - around), start).map((index) => line('same', now, index)),
    ...range(start, old.length - end).map((index) => line('removed', old, index)),
    ...range(start, now.length - end).map((index) => line('added', now, index)),
    ...range(now.length - end, Math.min(now.length, now.length - end + around)).map((index) =>
      line('same', now, index),
    ),
  ]
}
