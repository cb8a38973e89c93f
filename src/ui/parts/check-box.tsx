/** A box to tick, with its words behind it. */
import type { ComponentChildren } from 'preact'

interface CheckBoxProps {
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
}

export function CheckBox({ isOn, set, isDisabled, children }: CheckBoxProps) {
  return (
    <label class="line">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => set(event.currentTarget.checked)}
      />{' '}
      {children}
    </label>
  )
}
