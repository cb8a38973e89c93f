/**
 * Keys of the dashboard. Letters do nothing inside text boxes, and a view adds its own for as long as it is shown.
 * `g` waits a moment for the letter of a view.
 */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface KeyBinding {
  /** As `KeyboardEvent.key`. */
  readonly key: string
  readonly does: string
  readonly run: (event: KeyboardEvent) => void
}

const bindings = new Set<readonly KeyBinding[]>()
/** All keys that do something now, for the help. */
export const activeKeys = signal<readonly KeyBinding[]>([])
const prefixMillis = 1200
let prefixUntil = 0

function publish(): void {
  activeKeys.value = [...bindings].flat()
}

export function useKeys(own: readonly KeyBinding[]): void {
  useEffect(() => {
    bindings.add(own)
    publish()
    return () => {
      bindings.delete(own)
      publish()
    }
  }, [own])
}

/** Whether somebody is typing: then letters are text. */
function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null
  return (
    element?.matches?.('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]') ??
    false
  )
}

export function watchKeys(goTo: (letter: string) => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return
    if (document.querySelector('dialog[open]')) return
    if (Date.now() < prefixUntil) {
      prefixUntil = 0
      if (goTo(event.key)) return event.preventDefault()
    }
    if (event.key === 'g') {
      prefixUntil = Date.now() + prefixMillis
      return
    }
    const found = activeKeys.value.findLast(({ key }) => key === event.key)
    if (found === undefined) return
    event.preventDefault()
    found.run(event)
  })
}
