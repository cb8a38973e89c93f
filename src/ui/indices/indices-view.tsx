/** Indices, streams and templates of the store, and the few changes that are made by hand. */

import { useState } from 'preact/hooks'
import { ApiProblem, askSearch } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { CheckBox } from '../parts/check-box.tsx'
import { Choice } from '../parts/choice.tsx'
import { say } from '../parts/copy.ts'
import { FormDialog, NameBox } from '../parts/form.tsx'
import { bytes, count } from '../parts/format.ts'
import { SortTitle, WideGrid } from '../parts/grid.tsx'
import { Icon } from '../parts/icons.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { useData } from '../parts/use-data.ts'
import { addressOf, place } from '../shell/place.ts'
import { IndexDetail } from './index-detail.tsx'
import { type Aliases, type CatIndex, type IndexRow, indexRows, matches, type Streams } from './indices.ts'
import { Lifecycle } from './lifecycle.tsx'
import { ManyActions } from './many-actions.tsx'
import { Templates } from './templates.tsx'

const columns = 'index,health,status,docs.count,docs.deleted,segments.count,store.size,creation.date.string'

export function IndicesView() {
  const chosen = place.value.path[1]
  const list = useData(
    'indices',
    async (signal) => {
      const [cat, aliases, streams] = await Promise.all([
        askSearch<readonly CatIndex[]>(
          `/_cat/indices?format=json&bytes=b&expand_wildcards=all&h=${columns}`,
          { signal },
        ),
        askSearch<Aliases>('/_alias', { signal }),
        askSearch<Streams>('/_data_stream', { signal }),
      ])
      return { rows: indexRows(cat, aliases, streams), streams }
    },
    { every: 10_000 },
  )
  if (list.value === undefined)
    return (
      <div class="view">
        <h1>Indices</h1>
        {list.error instanceof ApiProblem && list.error.status === 503 ? (
          <Empty title={list.error.message} />
        ) : list.error !== undefined ? (
          <Problem error={list.error} doing="Reading the indices" retry={list.again} />
        ) : (
          <Waiting what="indices" />
        )}
      </div>
    )
  const row = list.value.rows.find(({ name }) => name === chosen)
  if (chosen !== undefined && row !== undefined)
    return <IndexDetail key={row.name} row={row} changed={list.again} />
  return (
    <div class="view">
      <IndexTable rows={list.value.rows} changed={list.again} missing={chosen} />
      <StreamTable streams={list.value.streams} />
      <Templates />
      <Lifecycle />
    </div>
  )
}

type SortName = 'name' | 'documents' | 'bytes' | 'created'

function IndexTable({
  rows,
  changed,
  missing,
}: {
  rows: readonly IndexRow[]
  changed: () => void
  missing: string | undefined
}) {
  const [pattern, setPattern] = useState(missing ?? '')
  const [state, setState] = useState('all')
  const [hasHidden, setHidden] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const [health, setHealth] = useState('any')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState<{ by: SortName; isDown: boolean }>({ by: 'name', isDown: false })
  const shown = rows
    .filter(
      ({ name, isOpen, isHidden, health: own }) =>
        matches(name, pattern) &&
        (hasHidden || !isHidden) &&
        (state === 'all' || (state === 'open') === isOpen) &&
        (health === 'any' || own === health),
    )
    .sort((a, b) => (a[sort.by] < b[sort.by] ? -1 : a[sort.by] > b[sort.by] ? 1 : 0) * (sort.isDown ? -1 : 1))
  const head = (by: SortName, title: string, isNumber = true) => (
    <SortTitle
      title={title}
      isNumber={isNumber}
      isDown={sort.by === by ? sort.isDown : undefined}
      sort={(isDown) => setSort({ by, isDown })}
    />
  )
  return (
    <>
      <header class="view-head">
        <h1>Indices</h1>
        <span class="tag">
          {count(rows.length)} indices · {count(rows.reduce((sum, { documents }) => sum + documents, 0))}{' '}
          documents · {bytes(rows.reduce((sum, row) => sum + row.bytes, 0))}
        </span>
        <SearchBox label="Find an index" placeholder="Name or logs-*" value={pattern} set={setPattern} />
        <Choice
          label="State"
          value={state}
          values={['all', 'open', 'closed']}
          text={(one) => (one === 'all' ? 'open and closed' : one)}
          choose={setState}
        />
        <Choice
          label="Health"
          value={health}
          values={['any', 'green', 'yellow', 'red']}
          text={(one) => (one === 'any' ? 'any health' : one)}
          choose={setHealth}
        />
        <CheckBox isOn={hasHidden} set={setHidden}>
          hidden
        </CheckBox>
        <ChangeButton onClick={() => setCreating(true)}>
          <Icon name="plus" /> Create
        </ChangeButton>
      </header>
      {rows.length === 0 ? (
        <Empty title="The store holds no index yet.">
          <p>
            The first document makes one:{' '}
            <code>{`curl -H 'content-type: application/json' localhost:9200/logs/_doc -d '{"message":"hello"}'`}</code>
          </p>
        </Empty>
      ) : (
        <section class="card scroll" aria-label="Indices" tabIndex={0}>
          <table class="grid">
            <thead>
              <tr>
                <th>
                  <input
                    type="checkbox"
                    aria-label="Choose all that are shown"
                    checked={shown.length > 0 && shown.every(({ name }) => chosen.has(name))}
                    onChange={(event) =>
                      setChosen(new Set(event.currentTarget.checked ? shown.map(({ name }) => name) : []))
                    }
                  />
                </th>
                {head('name', 'index', false)}
                <th>state</th>
                {head('documents', 'documents')}
                <th class="num">deleted</th>
                <th class="num">segments</th>
                {head('bytes', 'size')}
                {head('created', 'created', false)}
                <th>aliases, stream</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.name}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Choose ${row.name}`}
                      checked={chosen.has(row.name)}
                      onChange={() =>
                        setChosen((before) => {
                          const after = new Set(before)
                          if (!after.delete(row.name)) after.add(row.name)
                          return after
                        })
                      }
                    />
                  </td>
                  <td>
                    <a href={addressOf(['indices', row.name])}>{row.name}</a>
                  </td>
                  <td>
                    <Status word={row.isOpen ? row.health : 'closed'} />
                  </td>
                  <td class="num">{count(row.documents)}</td>
                  <td class="num">{count(row.deleted)}</td>
                  <td class="num">{count(row.segments)}</td>
                  <td class="num">{bytes(row.bytes)}</td>
                  <td class="mono">{row.created.slice(0, 19).replace('T', ' ')}</td>
                  <td>
                    {[...row.aliases, ...(row.stream === undefined ? [] : [row.stream])].join(', ') || '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {shown.length === 0 && <Empty title="No index matches." />}
        </section>
      )}
      <ManyActions
        names={rows.filter(({ name }) => chosen.has(name)).map(({ name }) => name)}
        changed={() => {
          setChosen(new Set())
          changed()
        }}
      />
      {isCreating && <CreateIndex close={() => setCreating(false)} changed={changed} />}
    </>
  )
}

function CreateIndex({ close, changed }: { close: () => void; changed: () => void }) {
  const [name, setName] = useState('')
  const create = async () => {
    await askSearch(`/${encodeURIComponent(name)}`, { method: 'PUT' })
    say(`${name} was created.`)
    changed()
  }
  return (
    <FormDialog title="Create an index" action="Create" isReady={name !== ''} send={create} close={close}>
      <NameBox value={name} set={setName}>
        Name
      </NameBox>
      <p class="muted tiny">
        Templates that fit the name give it settings and mappings; fields are added by documents.
      </p>
    </FormDialog>
  )
}

function StreamTable({ streams: { data_streams } }: { streams: Streams }) {
  if (data_streams.length === 0) return null
  return (
    <section class="card" aria-label="Data streams">
      <header>
        <h2>Data streams</h2>
      </header>
      <WideGrid titles={['stream', { number: 'generation' }, 'time', 'template', 'indices']}>
        {data_streams.map(({ name, generation, timestamp_field, template, indices }) => (
          <tr key={name}>
            <td>
              <a href={`/ui/discover?i=${encodeURIComponent(name)}`}>{name}</a>
            </td>
            <td class="num">{count(generation)}</td>
            <td>{timestamp_field?.name}</td>
            <td>{template}</td>
            <td class="mono">{indices.map(({ index_name }) => index_name).join(', ')}</td>
          </tr>
        ))}
      </WideGrid>
    </section>
  )
}
