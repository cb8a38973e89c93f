/** A dialog over the page. Escape closes it, and the focus goes back to where it was. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

export function Dialog({ title, close, children, isWide = false }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before it is painted: a key pressed at once is already the dialog's.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const dialog = box.current
    dialog?.showModal()
    return () => {
      // What lies behind an open dialog takes no focus.
      dialog?.close()
      before?.focus?.()
    }
  }, [])
  return (
    <dialog ref={box} class={isWide ? 'wide' : ''} aria-labelledby={id} onClose={close} onCancel={close}>
      <div>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** The last line of a dialog that only shows something. */
export function CloseLine({ close }: { close: () => void }) {
  return (
    <div class="buttons">
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  )
}
