/** Tables of figures: a title above each column, numbers at the right. */
import type { ComponentChildren } from 'preact'

/** The title of a column: of texts, or of numbers. */
type Title = string | { readonly number: string }

interface GridProps {
  readonly titles: readonly Title[]
  readonly class?: string
  /** The title of a last column of buttons, which is only read out. */
  readonly actions?: string
  /** Rows. */
  readonly children: ComponentChildren
}

export function Grid({ titles, class: look = 'grid', actions, children }: GridProps) {
  return (
    <table class={look}>
      <thead>
        <tr>
          {titles.map((title) => {
            const isNumber = typeof title !== 'string'
            const text = isNumber ? title.number : title
            return (
              <th key={text} class={isNumber ? 'num' : undefined}>
                {text}
              </th>
            )
          })}
          {actions !== undefined && (
            <th>
              <span class="unseen">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A grid inside of a card, which scrolls where it is too wide. */
export function WideGrid(props: GridProps) {
  return (
    <div class="scroll" tabIndex={0}>
      <Grid {...props} />
    </div>
  )
}

interface SortTitleProps {
  readonly title: string
  readonly isNumber: boolean
  /** Undefined when the table is in the order of another column. */
  readonly isDown: boolean | undefined
  readonly sort: (isDown: boolean) => void
}

/** A title that sorts by its column; a second click turns the order around. Numbers start with the largest. */
export function SortTitle({ title, isNumber, isDown, sort }: SortTitleProps) {
  return (
    <th
      class={isNumber ? 'num' : ''}
      aria-sort={isDown === undefined ? 'none' : isDown ? 'descending' : 'ascending'}
    >
      <button type="button" class="sort" onClick={() => sort(isDown === undefined ? isNumber : !isDown)}>
        {title}
      </button>
    </th>
  )
}
