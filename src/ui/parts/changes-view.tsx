/** Changes of an event as lines, each with a sign and a word besides its colour. Texts are text nodes. */
import type { FieldChange } from './event-changes.ts'

const signs = { added: '+', removed: '−', changed: '~', same: ' ' } as const

export function ChangesView({
  changes,
  label,
  hasSame = false,
}: {
  changes: readonly FieldChange[]
  label: string
  hasSame?: boolean
}) {
  const shown = hasSame ? changes : changes.filter(({ kind }) => kind !== 'same')
  if (shown.length === 0) return <p class="muted tiny">Nothing was changed.</p>
  return (
    <table class="changes" aria-label={label}>
      <tbody>
        {shown.map(({ field, kind, before, after }) => (
          <tr key={field} class={kind}>
            <td class="sign">
              {signs[kind]}
              {kind !== 'same' && <span class="unseen">{kind}</span>}
            </td>
            <th scope="row">{field}</th>
            <td>
              {before !== undefined && <del>{cut(before)}</del>}
              {before !== undefined && after !== undefined && ' → '}
              {after !== undefined && (kind === 'same' ? cut(after) : <ins>{cut(after)}</ins>)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function cut(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 4000)}… (${text.length} characters)` : text
}
