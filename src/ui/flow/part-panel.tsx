/** What is known of one plugin: what it was told to do, what it counted, what it costs, where it stands. */
import type { GraphVertex, SourcePlace } from '../api/node-stats.ts'
import { copy } from '../parts/copy.ts'
import { count, micros, percent, rate } from '../parts/format.ts'
import { Grid } from '../parts/grid.tsx'
import { Icon } from '../parts/icons.tsx'
import { addressOf } from '../shell/place.ts'
import { counters, type PluginFigures } from './figures.ts'
import { expressionsIn } from './grok-expressions.ts'

export interface WrittenPlugin {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly summary?: string
  readonly codec?: string
  readonly source: SourcePlace | null
  readonly options: readonly { readonly name: string; readonly value: string; readonly doc?: string }[]
}

interface PartPanelProps {
  readonly vertex: GraphVertex
  readonly figures: PluginFigures | undefined
  readonly written: WrittenPlugin | undefined
  readonly pipeline: string
  readonly close: () => void
}

export function PartPanel({ vertex, figures, written, pipeline, close }: PartPanelProps) {
  const stats = figures?.stats
  const latency = stats?.ext?.latency
  const source = vertex.meta?.source
  const isInput = vertex.plugin_type === 'input'
  const expressions = expressionsIn(written?.options.find(({ name }) => name === 'match')?.value ?? '')
  return (
    <aside class="part-panel card" aria-label={`${vertex.plugin_type} ${vertex.config_name}`}>
      <header>
        <span class={`kind ${vertex.plugin_type}`}>{vertex.plugin_type}</span>
        <h2 class="grow">{vertex.config_name}</h2>
        <button type="button" class="plain icon" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="body stack">
        {written?.summary && <p class="muted">{written.summary}</p>}
        {source && (
          <p>
            <a
              class="mono"
              href={addressOf(
                ['editor', pipeline],
                new URLSearchParams({ file: source.id, line: String(source.line) }),
              )}
            >
              {source.id}:{source.line}:{source.column}
            </a>
          </p>
        )}
        <div class="line">
          <span class="tag">{rate(figures?.rate)}</span>
          {!isInput && <span class="tag">{micros(figures?.millisPerEvent)} per event</span>}
          {!isInput && (
            <span class={`tag${figures?.isSlow ? ' bad' : ''}`}>
              {percent(figures?.share)} of worker time
            </span>
          )}
        </div>
        <section>
          <h3>Options</h3>
          {written === undefined || written.options.length === 0 ? (
            <p class="muted">None are written; defaults apply.</p>
          ) : (
            <dl class="facts options">
              {written.options.map(({ name, value, doc }) => (
                <>
                  <dt key={name} title={doc}>
                    {name}
                  </dt>
                  <dd key={`${name} value`}>{value}</dd>
                </>
              ))}
            </dl>
          )}
          {written?.codec && <p class="muted tiny">codec {written.codec}</p>}
        </section>
        {stats && (
          <section>
            <h3>Counters</h3>
            <dl class="facts counters">
              {counters(stats).map(([name, value]) => (
                <>
                  <dt key={name}>{name}</dt>
                  <dd key={`${name} value`} data-counter={name}>
                    {count(value)}
                  </dd>
                </>
              ))}
            </dl>
          </section>
        )}
        {latency && (
          <section>
            <h3>Time of a batch</h3>
            <dl class="facts">
              {Object.entries(latency).map(([name, value]) => (
                <>
                  <dt key={name}>{name.replace('_in_micros', '')}</dt>
                  <dd key={`${name} value`}>{micros(value / 1000)}</dd>
                </>
              ))}
            </dl>
          </section>
        )}
        {stats?.ext?.patterns && (
          <section>
            <h3>Patterns</h3>
            <Grid titles={['expression', { number: 'hits' }, { number: 'misses' }]}>
              {stats.ext.patterns.map(({ hits, misses }, index) => (
                <tr key={String(index)}>
                  <td>
                    {expressions[index] === undefined ? (
                      index + 1
                    ) : (
                      <a
                        class="mono"
                        href={addressOf(['grok'], new URLSearchParams({ p: expressions[index] }))}
                      >
                        {expressions[index]}
                      </a>
                    )}
                  </td>
                  <td class="num">{count(hits)}</td>
                  <td class="num">{count(misses)}</td>
                </tr>
              ))}
            </Grid>
          </section>
        )}
        <div class="line">
          <a class="button" href={addressOf(['tail', pipeline], new URLSearchParams({ at: vertex.id }))}>
            Tail here
          </a>
          <button type="button" class="small" onClick={() => void copy(vertex.id, 'The id')}>
            <Icon name="copy" /> Copy id
          </button>
        </div>
      </div>
    </aside>
  )
}
