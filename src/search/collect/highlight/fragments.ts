/** Writes fragments of a text with tags around what is marked. */
import type { Mark } from './marks.ts'

interface Fragment {
  readonly start: number
  readonly end: number
  readonly marks: readonly Pick<Mark, 'start' | 'end'>[]
}

/** Java's `trim`: takes away control characters and spaces, no others. */
export function trimmed(text: string): string {
  return text.replace(/^[\0- ]+|[\0- ]+$/g, '')
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
  ['/', '&#x2F;'],
])

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'/]/g, (character) => entities.get(character)!)
}

/** Writes a fragment with tags around its marks. */
export function writeFragment(
  text: string,
  { start, end, marks }: Fragment,
  preTag: string,
  postTag: string,
  isHtml: boolean,
): string {
  const encode = isHtml ? escapeHtml : (part: string) => part
  let written = ''
  let at = start
  for (const mark of marks) {
    if (mark.start > at) written += encode(text.slice(at, mark.start))
    if (mark.end <= at) continue
    written += `${preTag}${encode(text.slice(Math.max(at, mark.start), mark.end))}${postTag}`
    at = mark.end
  }
  return written + encode(text.slice(at, Math.max(at, end)))
}
