/** JSON with its names and values in colours, made of text nodes only. */
import { useMemo } from 'preact/hooks'
import { writeExact } from '../api/exact-json.ts'

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b)/g
const maxColoured = 200_000

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => writeExact(value), [value])
  return (
    <section class="json scroll" tabIndex={0} aria-label={label}>
      <pre>{text.length > maxColoured ? text : coloured(text)}</pre>
    </section>
  )
}

function coloured(text: string) {
  const parts = []
  let at = 0
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon, plain] = match
    if (match.index > at) parts.push(text.slice(at, match.index))
    if (plain !== undefined) parts.push(<span class="plain">{plain}</span>)
    else {
      parts.push(<span class={colon === undefined ? 'text' : 'key'}>{quoted}</span>)
      if (colon !== undefined) parts.push(colon)
    }
    at = match.index + whole.length
  }
  parts.push(text.slice(at))
  return parts
}
