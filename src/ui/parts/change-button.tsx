/** A button that changes something on the node. For those who may not it stays in its place and says why. */
import type { ComponentChildren } from 'preact'
import { refusal } from '../api/session.ts'

interface ChangeButtonProps {
  readonly onClick?: () => void
  readonly class?: string
  readonly disabled?: boolean
  readonly type?: 'button' | 'submit'
  readonly label?: string
  readonly children: ComponentChildren
}

export function ChangeButton({
  onClick,
  class: name = '',
  disabled = false,
  type = 'button',
  label,
  children,
}: ChangeButtonProps) {
  const reason = refusal.value
  return (
    <button
      type={type}
      class={name}
      disabled={disabled || reason !== ''}
      title={reason === '' ? undefined : reason}
      aria-label={label}
      aria-description={reason === '' ? undefined : reason}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
