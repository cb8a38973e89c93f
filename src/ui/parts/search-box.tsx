/** The box a person types a search into. */

interface SearchBoxProps {
  readonly label: string
  /** What stands in the empty box; the label unless given. */
  readonly placeholder?: string
  readonly value: string
  readonly set: (value: string) => void
  readonly id?: string
  readonly class?: string
}

export function SearchBox({ label, placeholder = label, value, set, id, class: look }: SearchBoxProps) {
  return (
    <input
      id={id}
      type="search"
      class={look}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => set(event.currentTarget.value)}
    />
  )
}
