/** A button that shows nothing but an icon; its label is read out, its title says more under the pointer. */
import { Icon, type IconName } from './icons.tsx'

interface IconButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly title: string
  readonly onClick: () => void
  readonly class?: string
  /** Only of buttons that stay pressed. */
  readonly isPressed?: boolean
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, title, onClick, class: look = 'plain icon small', isPressed } = props
  return (
    <button
      type="button"
      class={look}
      aria-label={label}
      aria-pressed={isPressed}
      title={title}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
