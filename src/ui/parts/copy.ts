/** Puts text on the clipboard and says so; short messages to the person, read out by screen readers. */
import { signal } from '@preact/signals'

/** What was said last; empties itself. */
export const said = signal('')
let silence: number | undefined

export function say(text: string): void {
  said.value = text
  clearTimeout(silence)
  silence = window.setTimeout(() => {
    said.value = ''
  }, 4000)
}

export async function copy(text: string, what: string): Promise<void> {
  const isDone = await clipboard(text)
  say(isDone ? `${what} was copied.` : 'The browser does not let the page copy.')
}

/** Pages without TLS on another machine have no clipboard API. */
async function clipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const isDone = document.execCommand('copy')
    area.remove()
    return isDone
  }
}
