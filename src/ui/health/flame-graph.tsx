/** A flame graph of one thread. Boxes are buttons of one tab stop; the arrow keys go from frame to frame. */
import { useMemo, useRef, useState } from 'preact/hooks'
import { count, percent } from '../parts/format.ts'
import { type FlameBox, type FoldedStack, flameBoxes, functionOf } from './flame.ts'

const rowHeight = 22

export function FlameGraph({ stacks, name }: { stacks: readonly FoldedStack[]; name: string }) {
  const boxes = useMemo(() => flameBoxes(stacks), [stacks])
  const [at, setAt] = useState(0)
  const box = useRef<HTMLElement>(null)
  if (boxes.length === 0) return <p class="body muted">{name} was idle during the sample.</p>
  const depth = Math.max(...boxes.map((one) => one.depth)) + 1
  const chosen = boxes[at] ?? boxes[0]!
  const move = (target: number) => {
    setAt(target)
    box.current?.querySelectorAll<HTMLElement>('.flame-box')[target]?.focus()
  }
  const key = (event: KeyboardEvent) => {
    const target = neighbour(boxes, at, event.key)
    if (target === undefined) return
    event.preventDefault()
    event.stopPropagation()
    move(target)
  }
  return (
    <>
      <section
        class="flame"
        ref={box}
        aria-label={`Flame graph of ${name}`}
        style={{ height: `${depth * rowHeight}px` }}
        onKeyDown={key}
      >
        {boxes.map((one, index) => (
          <button
            key={`${one.depth} ${one.left}`}
            type="button"
            class={`flame-box f${hueOf(one.frame)}`}
            tabIndex={index === at ? 0 : -1}
            aria-label={`${one.frame}, ${percent(one.width * 100)}`}
            aria-pressed={index === at}
            title={`${one.frame} · ${percent(one.width * 100)}`}
            style={{
              left: `${one.left * 100}%`,
              width: `${one.width * 100}%`,
              top: `${one.depth * rowHeight}px`,
            }}
            onClick={() => setAt(index)}
          >
            {functionOf(one.frame)}
          </button>
        ))}
      </section>
      <p class="body mono flame-chosen" role="status">
        {chosen.frame} · {percent(chosen.width * 100)} ·{' '}
        {chosen.samples === 1 ? '1 sample' : `${count(chosen.samples)} samples`}
      </p>
    </>
  )
}

/** Frames of one function have one colour. */
function hueOf(frame: string): number {
  let hash = 0
  for (const char of functionOf(frame)) hash = (hash * 31 + char.charCodeAt(0)) % 997
  return hash % 4
}

/** Down: the widest callee; up: the caller; left and right: the next box of the row. */
function neighbour(boxes: readonly FlameBox[], at: number, key: string): number | undefined {
  const own = boxes[at]
  if (own === undefined) return undefined
  const isOver = (inner: FlameBox, outer: FlameBox) =>
    inner.left >= outer.left - 1e-9 && inner.left + inner.width <= outer.left + outer.width + 1e-9
  const find = (fits: (one: FlameBox) => boolean) => {
    const index = boxes.findIndex(fits)
    return index < 0 ? undefined : index
  }
  if (key === 'ArrowDown') return find((one) => one.depth === own.depth + 1 && isOver(one, own))
  if (key === 'ArrowUp') return find((one) => one.depth === own.depth - 1 && isOver(own, one))
  const row = boxes.filter(({ depth }) => depth === own.depth).sort((a, b) => a.left - b.left)
  const place = row.indexOf(own)
  const next = key === 'ArrowRight' ? row[place + 1] : key === 'ArrowLeft' ? row[place - 1] : undefined
  return next === undefined ? undefined : boxes.indexOf(next)
}
