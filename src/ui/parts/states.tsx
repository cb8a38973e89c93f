/** How a place looks while its data is not there: loading, empty, failed. */
import type { ComponentChildren } from 'preact'
import { ApiProblem } from '../api/ask.ts'
import { copy } from './copy.ts'

/** Nothing for a moment, then bars where the data will be. */
export function Waiting({ what }: { what: string }) {
  return (
    <div class="waiting" role="status" aria-label={`Loading ${what}`}>
      <i />
      <i />
      <i />
    </div>
  )
}

export function Empty({ children, title }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="why">{title}</p>
      {children}
    </div>
  )
}

export function Problem({ error, doing, retry }: { error: unknown; doing: string; retry?: () => void }) {
  const problem = error instanceof ApiProblem ? error : undefined
  const reason = error instanceof Error ? error.message : String(error)
  return (
    <div class="state problem" role="alert">
      <p class="why">{doing} failed.</p>
      <p>
        {reason}
        {problem !== undefined && problem.status > 0 && (
          <span class="muted">
            {' '}
            ({problem.status}
            {problem.type === 'error' ? '' : `, ${problem.type}`})
          </span>
        )}
      </p>
      <div class="line">
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
        <button type="button" class="plain" onClick={() => void copy(problem?.detail || reason, 'The error')}>
          Copy
        </button>
      </div>
    </div>
  )
}
