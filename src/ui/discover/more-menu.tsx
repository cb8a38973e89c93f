/** What else can be done with a search: take it away as a file, as a command, as a link; look at earlier ones. */
import { useRef, useState } from 'preact/hooks'
import { searchOrigin } from '../api/ask.ts'
import { copy, say } from '../parts/copy.ts'
import { count } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import { curlOf } from './curl.ts'
import { type ExportForm, exportHits } from './export.ts'
import { earlierQueries } from './query-box.tsx'
import { pageBody, type SearchContext } from './request.ts'
import { SavedDialog } from './saved-dialog.tsx'
import type { SearchState } from './search-state.ts'

interface MoreMenuProps {
  readonly state: SearchState
  readonly context: SearchContext
  /** Names of the file's columns. */
  readonly columns: readonly string[]
  readonly fixedLink: () => string
  readonly run: (query: string) => void
  /** All hits of the search. */
  readonly total: number
}

export function MoreMenu({ state, context, columns, fixedLink, run, total }: MoreMenuProps) {
  const [progress, setProgress] = useState<number>()
  const [isSaving, setSaving] = useState(false)
  const ending = useRef<AbortController | undefined>(undefined)
  const save = async (form: ExportForm) => {
    ending.current = new AbortController()
    setProgress(0)
    try {
      const { file, hits, isCut } = await exportHits(
        state,
        context,
        form,
        columns,
        ending.current.signal,
        setProgress,
      )
      download(file, `millrace-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${form}`)
      say(`${count(hits)} hits were saved${isCut ? '; the file is full at 200 MB' : ''}.`)
    } catch (error) {
      say(
        ending.current.signal.aborted
          ? 'The export was cancelled.'
          : `The export failed: ${(error as Error).message}`,
      )
    } finally {
      setProgress(undefined)
    }
  }
  if (progress !== undefined)
    return (
      <span class="line">
        <progress aria-label="Export" max={Math.max(1, total)} value={progress} />
        <span role="status">
          {count(progress)} of {count(total)}
        </span>
        <button type="button" onClick={() => ending.current?.abort()}>
          Cancel
        </button>
      </span>
    )
  const earlier = earlierQueries()
  return (
    <>
      {isSaving && <SavedDialog close={() => setSaving(false)} />}
      <Menu name="More" label={<Icon name="more" />}>
        {(close) => {
          const item = (name: string, act: () => void) => (
            <button
              key={name}
              type="button"
              onClick={() => {
                close()
                act()
              }}
            >
              {name}
            </button>
          )
          return (
            <>
              {item('Saved searches…', () => setSaving(true))}
              {item('Save all hits as CSV', () => void save('csv'))}
              {item('Save all hits as NDJSON', () => void save('ndjson'))}
              {item(
                'Copy as curl',
                () => void copy(curlOf(searchOrigin(), state.index, pageBody(state, context)), 'The command'),
              )}
              {item('Copy link', () => void copy(location.href, 'The link'))}
              {item('Copy link with fixed times', () => void copy(location.origin + fixedLink(), 'The link'))}
              {earlier.length > 0 && <span class="muted tiny">Earlier queries</span>}
              {earlier
                .slice(0, 10)
                .map((query) => item(query.length > 60 ? `${query.slice(0, 60)}…` : query, () => run(query)))}
            </>
          )
        }}
      </Menu>
    </>
  )
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
