/** One document: its fields with what can be done with each, or its JSON as it was sent. */

import { useMemo, useState } from 'preact/hooks'
import { searchOrigin } from '../api/ask.ts'
import { writeExact } from '../api/exact-json.ts'
import { copy } from '../parts/copy.ts'
import { flatten, type Hit, marked, shownText, valueText } from '../parts/documents.ts'
import { count } from '../parts/format.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { addressOf } from '../shell/place.ts'
import { curlOfDocument } from './curl.ts'
import { type Filter, writeFilters } from './filters.ts'
import { quoted } from './query-completion.ts'
import type { SearchState } from './search-state.ts'
import { Surrounding } from './surrounding.tsx'

interface HitDetailProps {
  readonly hit: Hit
  readonly state: SearchState
  readonly timeField: string | undefined
  readonly isUtc: boolean
  readonly toggleColumn: (name: string) => void
  readonly addFilter: (filter: Filter) => void
}

export function HitDetail({ hit, state, timeField, isUtc, toggleColumn, addFilter }: HitDetailProps) {
  const { columns } = state
  const [isLooking, setLooking] = useState(false)
  const [isJson, setJson] = useState(false)
  const [search, setSearch] = useState('')
  const fields = useMemo(() => flatten(hit._source), [hit])
  const wanted = search.toLowerCase()
  const shown = fields.filter(
    ([name, value]) =>
      wanted === '' || name.toLowerCase().includes(wanted) || valueText(value).toLowerCase().includes(wanted),
  )
  const link = () => {
    const parameters = new URLSearchParams({ i: hit._index, q: `_id:${quoted(hit._id)}`, t: 'all' })
    return location.origin + addressOf(['discover'], parameters)
  }
  return (
    <div class="hit-detail">
      <div class="line">
        <button type="button" class="small" aria-pressed={!isJson} onClick={() => setJson(false)}>
          Table
        </button>
        <button type="button" class="small" aria-pressed={isJson} onClick={() => setJson(true)}>
          JSON
        </button>
        {!isJson && (
          <SearchBox label="Find in this document" class="find-in-hit" value={search} set={setSearch} />
        )}
        <span class="muted tiny grow mono wide-only">
          {hit._index} / {hit._id}
        </span>
        {timeField !== undefined && (
          <button type="button" class="small" onClick={() => setLooking(true)}>
            Surrounding
          </button>
        )}
        <a class="button small" href={addressOf(['lineage', hit._id])}>
          Lineage
        </a>
        <button
          type="button"
          class="small"
          onClick={() => void copy(curlOfDocument(searchOrigin(), hit._index, hit._id), 'The command')}
        >
          <Icon name="copy" /> curl
        </button>
        <button
          type="button"
          class="small"
          onClick={() => void copy(writeExact(hit._source), 'The document')}
        >
          <Icon name="copy" /> JSON
        </button>
        <button type="button" class="small" onClick={() => void copy(link(), 'The link')}>
          <Icon name="copy" /> Link
        </button>
      </div>
      {isLooking && timeField !== undefined && (
        <Surrounding
          hit={hit}
          timeField={timeField}
          isUtc={isUtc}
          switchedOff={[
            ...(state.query.trim() === '' ? [] : [state.query]),
            ...state.filters.filter(({ isOff }) => !isOff).map((filter) => writeFilters([filter])),
          ]}
          close={() => setLooking(false)}
        />
      )}
      {isJson ? (
        <JsonView value={hit._source} label="Document as JSON" />
      ) : (
        <table class="hit-fields">
          <tbody>
            {shown.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Value text={shownText(hit, name, value)} />
                </td>
                <td class="value-actions">
                  {typeof value !== 'object' && (
                    <ValueFilters
                      name={name}
                      filter={(isNot) =>
                        addFilter({ field: name, value: valueText(value), isNot, isOff: false })
                      }
                    />
                  )}
                  <IconButton
                    icon="columns"
                    label={`Column ${name}`}
                    title="Show as a column"
                    isPressed={columns.includes(name)}
                    onClick={() => toggleColumn(name)}
                  />
                  <IconButton
                    icon="copy"
                    label={`Copy ${name}`}
                    title="Copy the value"
                    onClick={() => void copy(valueText(value), name)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

const maxShown = 10_000

/** Text nodes only, whatever stands in the value; long ones are cut until somebody wants them. */
function Value({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || text.length <= maxShown ? text : text.slice(0, maxShown)
  return (
    <span class="hit-value">
      {marked(shown).map(({ text: piece, isMarked }, index) =>
        isMarked ? <mark key={String(index)}>{piece}</mark> : piece,
      )}
      {shown.length < text.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all ({count(text.length)} characters)
        </button>
      )}
    </span>
  )
}

/** Buttons for the hits that have this value, and for those that do not. */
function ValueFilters({ name, filter }: { name: string; filter: (isNot: boolean) => void }) {
  return (
    <>
      <IconButton
        icon="plus"
        label={`Only ${name} as here`}
        title="Only hits with this value"
        onClick={() => filter(false)}
      />
      <IconButton
        icon="minus"
        label={`Without ${name} as here`}
        title="Without this value"
        onClick={() => filter(true)}
      />
    </>
  )
}
