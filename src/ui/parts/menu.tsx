/** A button with a sheet below it that closes by Escape, by a click elsewhere and by leaving it with the keyboard. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface MenuProps {
  readonly label: ComponentChildren
  readonly name: string
  readonly side?: 'left' | 'right'
  readonly children: (close: () => void) => ComponentChildren
}

export function Menu({ label, name, side = 'right', children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }
  // Before the sheet is painted: a key pressed at once must not meet the button that closes it.
  useLayoutEffect(() => {
    if (!isOpen) return
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    box.current?.querySelector<HTMLElement>('.sheet input, .sheet button')?.focus()
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
    }
  }, [isOpen])
  return (
    <div
      class={`menu ${side}`}
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        event.preventDefault()
        close()
      }}
    >
      <button
        type="button"
        class="toggle"
        aria-expanded={isOpen}
        aria-label={name}
        title={name}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <div class="sheet">{children(close)}</div>}
    </div>
  )
}
