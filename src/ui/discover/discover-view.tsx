/** Search: query, time, filters; chart, fields and table of the hits, each of which loads and fails by itself. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ApiProblem, askSearch, searchOrigin } from '../api/ask.ts'
import { Choice } from '../parts/choice.tsx'
import { copy } from '../parts/copy.ts'
import type { Hit } from '../parts/documents.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { useKeys } from '../shell/keys.ts'
import { addressOf, place, setParameters } from '../shell/place.ts'
import { recall, remember, rememberInList } from '../shell/preferences.ts'
import { curlOf } from './curl.ts'
import { FieldList } from './field-list.tsx'
import { FilterChips } from './filter-chips.tsx'
import { type Filter, withFilter } from './filters.ts'
import { Histogram } from './histogram.tsx'
import { HitsTable } from './hits-table.tsx'
import { IndexBox } from './index-box.tsx'
import { MoreMenu } from './more-menu.tsx'
import { NothingFound } from './nothing-found.tsx'
import { lastPage, PageBar } from './page-bar.tsx'
import { openPointInTime, type PointInTime } from './point-in-time.ts'
import { QueryBox } from './query-box.tsx'
import { pageBody, type SearchContext } from './request.ts'
import { readState, type SearchState, searchKey, writeState } from './search-state.ts'
import { TimePicker } from './time-picker.tsx'
import { boundsOf, fixedRange, writeRange } from './time-range.ts'
import { useFields } from './use-fields.ts'

interface Page {
  readonly took: number
  readonly timed_out: boolean
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Hit[] }
}

const noBounds = { from: undefined, to: undefined }
const noHits: readonly Hit[] = []
const refreshes = [0, 5, 10, 30, 60]
const maxEarlier = 50

export function DiscoverView() {
  const preferredSize = Number(recall('page-size')) || 50
  const state = readState(place.value.parameters, preferredSize)
  const [round, setRound] = useState(0)
  const [refresh, setRefresh] = useState(0)
  const [isUtc, setUtc] = useState(recall('zone') === 'utc')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [hasFields, setFields] = useState(innerWidth >= 1024)
  const fields = useFields(state.index)
  const timeField = fields.value?.timeField

  const set = (changes: Partial<SearchState>, options?: { replace?: boolean }) =>
    setParameters(writeState({ ...state, ...changes }, preferredSize), options)
  /** Another search begins at its first page. */
  const search = (changes: Partial<SearchState>) => {
    set({ ...changes, page: 1 })
    setRound((before) => before + 1)
  }

  const key = searchKey(state)
  // The moment of the search: its pages, chart and fields all speak of it.
  const now = useMemo(() => Date.now(), [key, round])
  const bounds = boundsOf(state.range, now)
  const context: SearchContext = { timeField, bounds: bounds ?? noBounds }
  const searchId = `${key} ${round} ${timeField}`
  const point = useRef<{ id: string; opened: Promise<PointInTime | undefined> } | undefined>(undefined)
  const isReady =
    fields.value !== undefined &&
    bounds !== undefined &&
    (fields.value.indices.length > 0 || fields.value.all.length > 0)
  const page = useData(
    isReady ? `${searchId} ${state.page} ${state.size} ${state.sort}` : undefined,
    async (signal) => {
      if (point.current?.id !== searchId) {
        void point.current?.opened.then((before) => before?.close())
        point.current = { id: searchId, opened: openPointInTime(state.index) }
      }
      const pit = await point.current.opened
      const body = pageBody(state, context)
      return pit === undefined
        ? askSearch<Page>(`/${encodeURIComponent(state.index)}/_search?ignore_unavailable=true`, {
            method: 'POST',
            body,
            signal,
          })
        : askSearch<Page>('/_search', {
            method: 'POST',
            body: { ...body, pit: { id: pit.id, keep_alive: '5m' } },
            signal,
          })
    },
  )
  useEffect(() => () => void point.current?.opened.then((before) => before?.close()), [])
  useEffect(() => {
    if (state.query.trim() !== '') rememberInList('searches', state.query, maxEarlier)
  }, [state.query])
  useEffect(() => {
    if (refresh === 0 || state.page !== 1) return
    const timer = setInterval(() => {
      if (!document.hidden) setRound((before) => before + 1)
    }, refresh * 1000)
    return () => clearInterval(timer)
  }, [refresh, state.page])

  const total = page.value?.hits.total.value ?? 0
  const goTo = (target: number) => {
    setOpened(new Set())
    set({ page: target })
  }
  const again = () => {
    fields.again()
    setRound((before) => before + 1)
  }
  const curl = () => void copy(curlOf(searchOrigin(), state.index, pageBody(state, context)), 'The command')
  const act = useRef({ goTo, again, curl, state, total })
  act.current = { goTo, again, curl, state, total }
  useKeys(
    useMemo(
      () => [
        { key: '/', does: 'goes to the query', run: () => document.getElementById('query')?.focus() },
        { key: 'r', does: 'searches again', run: () => act.current.again() },
        { key: 'n', does: 'next page', run: () => step(act.current, 1) },
        { key: 'p', does: 'previous page', run: () => step(act.current, -1) },
        {
          key: 't',
          does: 'chooses the time range',
          run: () => document.querySelector<HTMLElement>('[aria-label^="Time range"]')?.click(),
        },
        { key: 'l', does: 'copies the link', run: () => void copy(location.href, 'The link') },
        { key: 'y', does: 'copies the search as curl', run: () => act.current.curl() },
        { key: 'o', does: 'types a page', run: () => document.getElementById('page')?.focus() },
        {
          key: 'j',
          does: 'first row; j and k go from row to row',
          run: () => document.querySelector<HTMLElement>('button.expander')?.focus(),
        },
      ],
      [],
    ),
  )

  const toggleColumn = (name: string) =>
    set(
      {
        columns: state.columns.includes(name)
          ? state.columns.filter((one) => one !== name)
          : [...state.columns, name],
      },
      { replace: true },
    )
  const addFilter = (filter: Filter) => search({ filters: withFilter(state.filters, filter) })
  const hits = page.value?.hits.hits ?? noHits
  const isExpired = page.error instanceof ApiProblem && page.error.type === 'search_context_missing_exception'

  return (
    <div class="discover">
      <h1 class="unseen">Discover</h1>
      <div class="search-bar">
        <IndexBox index={state.index} choose={(index) => search({ index })} />
        <QueryBox
          query={state.query}
          syntax={state.syntax}
          index={state.index}
          fields={fields.value}
          run={(query) => search({ query })}
        />
        <Choice
          label="Syntax of the query"
          value={state.syntax}
          values={['lucene', 'simple']}
          text={(syntax) => (syntax === 'simple' ? 'Simple' : 'Lucene')}
          choose={(syntax) => search({ syntax })}
        />
        {timeField !== undefined && (
          <TimePicker
            range={state.range}
            isUtc={isUtc}
            choose={(range) => search({ range })}
            setUtc={(next) => {
              setUtc(next)
              remember('zone', next ? 'utc' : 'browser')
            }}
          />
        )}
        <button type="button" class="primary" onClick={again}>
          <Icon name="refresh" /> Search
        </button>
        <Choice
          label="Search again by itself"
          value={refresh}
          values={refreshes}
          text={(seconds) => (seconds === 0 ? 'no refresh' : `every ${seconds} s`)}
          choose={setRefresh}
        />
        <MoreMenu
          state={state}
          context={context}
          columns={[
            ...(timeField === undefined ? [] : [timeField]),
            ...(state.columns.length > 0
              ? state.columns
              : (fields.value?.all ?? [])
                  .filter(({ name }) => name !== timeField && !name.endsWith('.keyword'))
                  .map(({ name }) => name)),
          ]}
          fixedLink={() => {
            const parameters = new URLSearchParams(place.value.parameters)
            parameters.set('t', writeRange(fixedRange(context.bounds)) ?? 'all')
            return addressOf(['discover'], parameters)
          }}
          run={(query) => search({ query })}
          total={total}
        />
      </div>
      <FilterChips filters={state.filters} change={(filters) => search({ filters })} />
      {fields.error !== undefined && (
        <Problem error={fields.error} doing="Reading the fields" retry={fields.again} />
      )}
      {fields.value === undefined && fields.isLoading && <Waiting what="fields" />}
      {fields.value !== undefined && !isReady && bounds !== undefined && <NoIndices index={state.index} />}
      {bounds === undefined && <Empty title="The time range cannot be read." />}
      {isReady && fields.value && (
        <>
          {timeField !== undefined && state.hasChart && (
            <Histogram
              state={state}
              context={context}
              searchId={searchId}
              isUtc={isUtc}
              choose={(range) => search({ range })}
            />
          )}
          <div class="result-bar">
            <button
              type="button"
              class="toggle small"
              aria-pressed={hasFields}
              onClick={() => setFields(!hasFields)}
            >
              Fields
            </button>
            <PageBar
              page={Math.min(state.page, Math.max(1, page.value ? lastPage(total, state.size) : state.page))}
              size={state.size}
              total={total}
              isKnown={page.value !== undefined}
              tookMillis={page.value?.took}
              goTo={goTo}
              setSize={(size) => {
                remember('page-size', String(size))
                // The first hit of the page stays in sight.
                setParameters({
                  ...writeState(
                    { ...state, size, page: Math.floor(((state.page - 1) * state.size) / size) + 1 },
                    size,
                  ),
                })
              }}
            />
            <Choice
              label="Lines of a row"
              value={state.lines}
              values={[1, 3, 0]}
              text={(lines) => (lines === 1 ? 'one line' : lines === 3 ? 'three lines' : 'whole text')}
              choose={(lines) => set({ lines }, { replace: true })}
            />
            {timeField !== undefined && (
              <button
                type="button"
                class="toggle small"
                aria-pressed={state.hasChart}
                onClick={() => set({ hasChart: !state.hasChart }, { replace: true })}
              >
                Chart
              </button>
            )}
          </div>
          <div class={`result${hasFields ? ' has-fields' : ''}`}>
            {hasFields && (
              <FieldList
                fields={fields.value}
                hits={hits}
                state={state}
                context={context}
                searchId={searchId}
                toggleColumn={toggleColumn}
                addFilter={addFilter}
              />
            )}
            <div class="hits-scroll scroll" tabIndex={-1}>
              {page.error !== undefined &&
                (isExpired ? (
                  <Empty title="These hits were of a moment that is over: the search was left alone for five minutes.">
                    <button type="button" class="primary" onClick={again}>
                      Search again
                    </button>
                  </Empty>
                ) : (
                  <Problem error={page.error} doing="The search" retry={again} />
                ))}
              {page.value === undefined && page.error === undefined && <Waiting what="hits" />}
              {page.value !== undefined && page.error === undefined && total === 0 && (
                <NothingFound state={state} context={context} searchId={searchId} now={now} search={search} />
              )}
              {hits.length > 0 && (
                <div class={page.isLoading ? 'loading' : ''}>
                  <HitsTable
                    hits={hits}
                    state={state}
                    fields={fields.value}
                    isUtc={isUtc}
                    opened={opened}
                    toggle={(id) => setOpened((before) => toggled(before, id))}
                    sortBy={(name, isAdded) =>
                      set(
                        { sort: sortedBy(state.sort, name, isAdded, timeField), page: 1 },
                        { replace: true },
                      )
                    }
                    toggleColumn={toggleColumn}
                    moveColumn={(name) => set({ columns: movedLeft(state.columns, name) }, { replace: true })}
                    togglePin={(name) => set({ pinned: toggledIn(state.pinned, name) }, { replace: true })}
                    addFilter={addFilter}
                  />
                </div>
              )}
            </div>
          </div>
        </>
      )}
    </div>
  )
}

function NoIndices({ index }: { index: string }) {
  return (
    <Empty title={index === '*' ? 'The store holds no documents yet.' : `No index is called ${index}.`}>
      <p>
        A pipeline writes with <code>{'output { millrace { index => "logs" } }'}</code>, a program with{' '}
        <code>{`curl -H 'content-type: application/json' localhost:9200/logs/_doc -d '{"message":"hello"}'`}</code>
      </p>
    </Empty>
  )
}

function step(
  { goTo, state, total }: { goTo: (page: number) => void; state: SearchState; total: number },
  by: number,
): void {
  const target = state.page + by
  if (target >= 1 && target <= lastPage(total, state.size)) goTo(target)
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(id)) after.add(id)
  return after
}

function toggledIn(list: readonly string[], name: string): string[] {
  return list.includes(name) ? list.filter((one) => one !== name) : [...list, name]
}

function movedLeft(columns: readonly string[], name: string): string[] {
  const at = columns.indexOf(name)
  const moved = columns.filter((one) => one !== name)
  moved.splice(Math.max(0, at - 1), 0, name)
  return moved
}

/** Newest or largest first, then the other way round, then as before. */
export function sortedBy(
  sort: readonly string[],
  name: string,
  isAdded: boolean,
  timeField: string | undefined,
): string[] {
  const down = `-${name}`
  const isDown = sort.includes(down) || (sort.length === 0 && name === timeField)
  const isUp = sort.includes(name)
  const others = isAdded ? sort.filter((one) => one !== name && one !== down) : []
  if (isDown) return [...others, name]
  return isUp && name !== timeField ? others : [...others, down]
}
