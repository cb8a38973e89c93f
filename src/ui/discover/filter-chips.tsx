/** Filters as chips: switched off, turned around or removed by their own buttons. */
import { IconButton } from '../parts/icon-button.tsx'
import { type Filter, filterText } from './filters.ts'

interface FilterChipsProps {
  readonly filters: readonly Filter[]
  readonly change: (filters: readonly Filter[]) => void
}

export function FilterChips({ filters, change }: FilterChipsProps) {
  if (filters.length === 0) return null
  const replace = (index: number, by: Filter | undefined) =>
    change(filters.flatMap((filter, at) => (at === index ? (by ?? []) : filter)))
  return (
    <ul class="chips" aria-label="Filters">
      {filters.map((filter, index) => {
        const text = filterText(filter)
        return (
          <li
            key={`${text} ${index}`}
            class={`chip${filter.isNot ? ' not' : ''}${filter.isOff ? ' off' : ''}`}
          >
            <button
              type="button"
              class="plain small"
              aria-pressed={!filter.isOff}
              title={filter.isOff ? 'Switch on' : 'Switch off'}
              onClick={() => replace(index, { ...filter, isOff: !filter.isOff })}
            >
              {text}
            </button>
            <button
              type="button"
              class="plain small"
              aria-label={`Turn around: ${text}`}
              title="Turn around"
              onClick={() => replace(index, { ...filter, isNot: !filter.isNot })}
            >
              ±
            </button>
            <IconButton
              icon="close"
              label={`Remove: ${text}`}
              title="Remove"
              onClick={() => replace(index, undefined)}
            />
          </li>
        )
      })}
      {filters.length > 1 && (
        <li>
          <button type="button" class="plain small" onClick={() => change([])}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  )
}
