/** A pipeline as nested boxes in the order of its source: a condition is a box with its branches side by side. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { GraphVertex } from '../api/node-stats.ts'
import { count, micros, percent, rate } from '../parts/format.ts'
import type { PluginFigures } from './figures.ts'
import type { Item, Structure } from './structure.ts'

interface BoxesProps {
  readonly structure: Structure
  readonly figures: ReadonlyMap<string, PluginFigures>
  readonly queue: { readonly text: string; readonly isFull: boolean; readonly share: number }
  readonly chosen: string | undefined
  readonly choose: (id: string) => void
}

const Context = createContext<BoxesProps>(undefined as unknown as BoxesProps)

export function Boxes(props: BoxesProps) {
  const { structure, queue } = props
  return (
    <Context.Provider value={props}>
      <div class="boxes">
        <section aria-label="Inputs">
          <h3 class="stage input">Inputs</h3>
          <ul class="row-of-parts">
            {structure.inputs.map((vertex) => (
              <li key={vertex.id}>
                <Part vertex={vertex} />
              </li>
            ))}
          </ul>
        </section>
        <section aria-label="Queue" class={`queue-box${queue.isFull ? ' full' : ''}`}>
          <h3 class="stage">Queue</h3>
          <span class="mono">{queue.text}</span>
          <Meter share={queue.share} />
        </section>
        {structure.filters.length > 0 && (
          <section aria-label="Filters">
            <h3 class="stage filter">Filters</h3>
            <Chain items={structure.filters} />
          </section>
        )}
        <section aria-label="Outputs">
          <h3 class="stage output">Outputs</h3>
          <Chain items={structure.outputs} isParallel />
        </section>
      </div>
    </Context.Provider>
  )
}

function Chain({ items, isParallel = false }: { items: readonly Item[]; isParallel?: boolean }) {
  return (
    <ol class={isParallel ? 'row-of-parts' : 'chain'}>
      {items.map((item) =>
        item.kind === 'plugin' ? (
          <li key={item.vertex.id}>
            <Part vertex={item.vertex} />
          </li>
        ) : (
          <li key={item.id} class="condition">
            {item.branches.map(({ condition, items: inner }, index) => (
              <div key={`${item.id} ${index}`} class={condition === undefined ? 'branch else' : 'branch'}>
                <p class="if">
                  <span class="keyword">
                    {condition === undefined ? 'else' : index === 0 ? 'if' : 'else if'}
                  </span>{' '}
                  {condition !== undefined && <code>{condition}</code>}
                </p>
                {inner.length === 0 ? (
                  <p class="muted tiny">nothing</p>
                ) : (
                  <Chain items={inner} isParallel={isParallel} />
                )}
              </div>
            ))}
          </li>
        ),
      )}
    </ol>
  )
}

function Part({ vertex }: { vertex: GraphVertex }) {
  const { figures, chosen, choose } = useContext(Context)
  const own = figures.get(vertex.id)
  const isInput = vertex.plugin_type === 'input'
  return (
    <button
      type="button"
      class={`part ${vertex.plugin_type}${own?.isSlow ? ' slow' : ''}${own?.rate === 0 ? ' quiet' : ''}`}
      aria-pressed={vertex.id === chosen}
      data-plugin={vertex.id}
      onClick={() => choose(vertex.id)}
    >
      <span class="part-name">
        {vertex.config_name}
        {vertex.explicit_id && <span class="part-id">{vertex.id}</span>}
      </span>
      <span class="part-rate">{rate(own?.rate)}</span>
      {!isInput && <span class="part-cost">{micros(own?.millisPerEvent)}</span>}
      {own !== undefined && own.failures > 0 && (
        <span class="part-note warn">⚠ {count(own.failures)} failed</span>
      )}
      {own?.isSlow && <span class="part-note bad">▲ slow · {percent(own.share)} of the workers</span>}
      {!isInput && <Meter share={own?.share ?? 0} />}
    </button>
  )
}

function Meter({ share }: { share: number }) {
  return (
    <svg class="meter" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      <rect class="meter-all" width="100" height="3" />
      <rect width={Math.max(0, Math.min(100, share))} height="3" />
    </svg>
  )
}
