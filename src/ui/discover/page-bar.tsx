/** First, last and any page of all hits. Every page costs what the first one costs, so any number may be typed. */
import { useEffect, useState } from 'preact/hooks'
import { Choice } from '../parts/choice.tsx'
import { count } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { pageSizes } from './search-state.ts'

interface PageBarProps {
  readonly page: number
  readonly size: number
  readonly total: number
  /** False while the first answer is on its way. */
  readonly isKnown: boolean
  readonly tookMillis: number | undefined
  readonly goTo: (page: number) => void
  readonly setSize: (size: number) => void
}

export function lastPage(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

export function PageBar({ page, size, total, isKnown, tookMillis, goTo, setSize }: PageBarProps) {
  const last = lastPage(total, size)
  const [typed, setTyped] = useState(String(page))
  useEffect(() => setTyped(String(page)), [page])
  const asked = Number(typed.replace(/[\s,._]/g, ''))
  const go = () => {
    if (Number.isInteger(asked) && asked >= 1) goTo(Math.min(asked, last))
    else setTyped(String(page))
  }
  const step = (name: string, icon: 'first' | 'previous' | 'next' | 'last', target: number) => (
    <button
      type="button"
      class="icon"
      aria-label={name}
      title={name}
      disabled={target === page || target < 1 || target > last}
      onClick={() => goTo(target)}
    >
      <Icon name={icon} />
    </button>
  )
  const first = total === 0 ? 0 : (page - 1) * size + 1
  return (
    <nav class="page-bar" aria-label="Pages">
      <span class="hit-total" role="status">
        <strong>{isKnown ? count(total) : '…'}</strong> {total === 1 ? 'hit' : 'hits'}
        {total > 0 && (
          <span class="muted">
            {' '}
            · {count(first)}–{count(Math.min(total, page * size))}
            {tookMillis !== undefined && ` · ${count(tookMillis)} ms`}
          </span>
        )}
      </span>
      <span class="line steps">
        {step('First page', 'first', 1)}
        {step('Previous page', 'previous', page - 1)}
        <label class="line">
          <span class="wide-only">page</span>
          <input
            id="page"
            class="page-number num mono"
            inputMode="numeric"
            aria-label={`Page, of ${count(last)}`}
            value={typed}
            size={Math.max(3, String(last).length)}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={(event) => event.key === 'Enter' && go()}
            onBlur={go}
          />
          <span class="muted">of {count(last)}</span>
        </label>
        {step('Next page', 'next', page + 1)}
        {step('Last page', 'last', last)}
        <Choice label="Hits on a page" value={size} values={pageSizes} choose={setSize} />
      </span>
    </nav>
  )
}
