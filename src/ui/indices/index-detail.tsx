/** One index: its mapping as a tree, settings, segments, and what can be done with it. */

import { useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { say } from '../parts/copy.ts'
import { bytes, count } from '../parts/format.ts'
import { Grid } from '../parts/grid.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { go, place, setParameters } from '../shell/place.ts'
import { AliasList } from './alias-list.tsx'
import { type IndexRow, mappingLines } from './indices.ts'
import { ReindexDialog } from './reindex-dialog.tsx'
import { RunningTasks, type StartedTask } from './running-tasks.tsx'

interface Description {
  readonly aliases?: unknown
  readonly mappings?: { readonly properties?: unknown; readonly dynamic?: unknown }
  readonly settings?: unknown
}

interface Segment {
  readonly segment: string
  readonly 'docs.count': string
  readonly 'docs.deleted': string
  readonly size: string
  readonly committed: string
  readonly searchable: string
}

const tabs = ['mapping', 'settings', 'segments', 'aliases'] as const
type Tab = (typeof tabs)[number]

export function IndexDetail({ row, changed }: { row: IndexRow; changed: () => void }) {
  const { name } = row
  const path = `/${encodeURIComponent(name)}`
  const tab: Tab = tabs.find((one) => one === place.value.parameters.get('tab')) ?? 'mapping'
  const [asking, setAsking] = useState<'delete' | 'close' | 'merge' | 'reindex'>()
  const [started, setStarted] = useState<readonly StartedTask[]>([])
  const [isBusy, setBusy] = useState(false)
  const about = useData(name, (signal) => askSearch<Readonly<Record<string, Description>>>(path, { signal }))
  const description = about.value && Object.values(about.value)[0]
  const act = async (what: string, action: string) => {
    setBusy(true)
    try {
      await askSearch(`${path}/${action}`, { method: 'POST' })
      say(`${name}: ${what}.`)
      changed()
    } catch (error) {
      say(`${name}: ${(error as Error).message}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="view">
      <header class="view-head">
        <a href="/ui/indices">Indices</a>
        <h1 class="mono-title">{name}</h1>
        <span class="tag">
          {count(row.documents)} documents · {bytes(row.bytes)} · {row.isOpen ? row.health : 'closed'}
        </span>
      </header>
      <div class="line">
        <a class="button" href={`/ui/discover?i=${encodeURIComponent(name)}&t=all`}>
          Search it
        </a>
        <button type="button" disabled={isBusy} onClick={() => void act('refreshed', '_refresh')}>
          Refresh
        </button>
        <ChangeButton disabled={isBusy || !row.isOpen} onClick={() => setAsking('merge')}>
          Force merge
        </ChangeButton>
        <ChangeButton disabled={isBusy || !row.isOpen} onClick={() => setAsking('reindex')}>
          Reindex
        </ChangeButton>
        {row.isOpen ? (
          <ChangeButton onClick={() => setAsking('close')}>Close</ChangeButton>
        ) : (
          <ChangeButton onClick={() => void act('opened', '_open')}>Open</ChangeButton>
        )}
        <ChangeButton class="danger" onClick={() => setAsking('delete')}>
          Delete
        </ChangeButton>
      </div>
      <RunningTasks started={started} done={changed} />
      <nav class="line" aria-label="Parts">
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            class="small"
            aria-pressed={one === tab}
            onClick={() => setParameters({ tab: one }, { replace: true })}
          >
            {one}
          </button>
        ))}
      </nav>
      {about.error !== undefined && (
        <Problem error={about.error} doing="Reading the index" retry={about.again} />
      )}
      {description === undefined && about.isLoading && <Waiting what="the index" />}
      {description && tab === 'mapping' && <MappingTree mappings={description.mappings} />}
      {description && tab === 'settings' && <JsonView value={description.settings} label="Settings" />}
      {description && tab === 'aliases' && (
        <AliasList name={name} aliases={description.aliases} changed={about.again} />
      )}
      {tab === 'segments' && <Segments name={name} />}
      {asking === 'merge' && (
        <Confirm
          title={`Force merge ${name}?`}
          text={`All of its segments are written anew as one. That reads and writes ${bytes(row.bytes)} and cannot be undone.`}
          word={name}
          action="Merge"
          run={async () => {
            const { task } = await askSearch<{ task: string }>(
              `${path}/_forcemerge?max_num_segments=1&wait_for_completion=false`,
              { method: 'POST' },
            )
            setStarted([...started, { task, what: `Merge of ${name}`, merged: name }])
          }}
          close={() => setAsking(undefined)}
        />
      )}
      {asking === 'reindex' && (
        <ReindexDialog
          source={name}
          started={(task, what) => setStarted([...started, { task, what }])}
          close={() => setAsking(undefined)}
        />
      )}
      {(asking === 'delete' || asking === 'close') && (
        <Confirm
          title={asking === 'delete' ? `Delete ${name}?` : `Close ${name}?`}
          text={
            asking === 'delete'
              ? `${count(row.documents)} documents, ${bytes(row.bytes)}, are gone for good.`
              : 'A closed index keeps its documents, but cannot be searched or written to until it is opened.'
          }
          word={name}
          action={asking === 'delete' ? 'Delete' : 'Close it'}
          run={async () => {
            if (asking === 'delete') await askSearch(path, { method: 'DELETE' })
            else await askSearch(`${path}/_close`, { method: 'POST' })
            say(`${name} was ${asking === 'delete' ? 'deleted' : 'closed'}.`)
            changed()
            if (asking === 'delete') go('/ui/indices')
          }}
          close={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}

function MappingTree({ mappings }: { mappings: Description['mappings'] }) {
  const [search, setSearch] = useState('')
  const lines = mappingLines(mappings?.properties)
  const wanted = search.toLowerCase()
  const shown = lines.filter(
    ({ name, type }) => wanted === '' || name.toLowerCase().includes(wanted) || type.includes(wanted),
  )
  return (
    <>
      <div class="line">
        <SearchBox label="Find a field" placeholder="Find a field or type" value={search} set={setSearch} />
        <span class="muted">{count(lines.length)} fields</span>
      </div>
      <section class="card scroll" aria-label="Mapping" tabIndex={0}>
        <Grid titles={['field', 'type', 'more']} class="grid mapping">
          {shown.map(({ name, depth, type, more }, index) => (
            <tr key={`${index} ${name}`}>
              <td class="mono" style={{ paddingLeft: `${12 + (wanted === '' ? depth : 0) * 20}px` }}>
                {name}
              </td>
              <td>{type}</td>
              <td class="mono muted">{more}</td>
            </tr>
          ))}
        </Grid>
      </section>
    </>
  )
}

function Segments({ name }: { name: string }) {
  const segments = useData(`segments ${name}`, (signal) =>
    askSearch<readonly Segment[]>(`/_cat/segments/${encodeURIComponent(name)}?format=json&bytes=b`, {
      signal,
    }),
  )
  if (segments.error !== undefined)
    return <Problem error={segments.error} doing="Reading the segments" retry={segments.again} />
  if (segments.value === undefined) return <Waiting what="segments" />
  return (
    <section class="card scroll" aria-label="Segments" tabIndex={0}>
      <Grid
        titles={[
          'segment',
          { number: 'documents' },
          { number: 'deleted' },
          { number: 'size' },
          'on the disk',
          'searchable',
        ]}
      >
        {segments.value.map((segment) => (
          <tr key={segment.segment}>
            <td class="mono">{segment.segment}</td>
            <td class="num">{count(Number(segment['docs.count']))}</td>
            <td class="num">{count(Number(segment['docs.deleted']))}</td>
            <td class="num">{bytes(Number(segment.size))}</td>
            <td>{segment.committed}</td>
            <td>{segment.searchable}</td>
          </tr>
        ))}
      </Grid>
    </section>
  )
}
