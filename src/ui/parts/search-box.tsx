/** The box a person types a search into. */

import type { ComponentChildren } from 'preact'
import { Form } from './form.tsx'

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

interface SearchFormProps extends SearchBoxProps {
  /** What the button does, in a word. */
  readonly action: string
  readonly submit: () => void
  readonly look: string
  /** What stands behind the button. */
  readonly children?: ComponentChildren
}

/** A search that begins with the button, or with the enter key. */
export function SearchForm({ action, submit, look, children, ...box }: SearchFormProps) {
  return (
    <Form class={look} submit={submit}>
      <SearchBox {...box} />
      <button type="submit">{action}</button>
      {children}
    </Form>
  )
}
