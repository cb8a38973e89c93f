/** Which indices are searched: a name, several, or a pattern; completes names, aliases and streams. */
import { useEffect, useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { useData } from '../parts/use-data.ts'

interface Resolved {
  readonly indices: readonly { readonly name: string }[]
  readonly aliases: readonly { readonly name: string }[]
  readonly data_streams: readonly { readonly name: string }[]
}

export function IndexBox({ index, choose }: { index: string; choose: (index: string) => void }) {
  const [draft, setDraft] = useState(index)
  useEffect(() => setDraft(index), [index])
  const known = useData('names', (signal) => askSearch<Resolved>('/_resolve/index/*', { signal }))
  const names = known.value
    ? [...known.value.data_streams, ...known.value.aliases, ...known.value.indices].map(({ name }) => name)
    : []
  const commit = () => {
    const next = draft.trim() === '' ? '*' : draft.trim()
    if (next !== index) choose(next)
  }
  return (
    <>
      <input
        class="index-box"
        aria-label="Indices to search"
        title="Indices, aliases, streams; patterns and commas are allowed"
        list="index-names"
        autocomplete="off"
        spellcheck={false}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
        onChange={commit}
        onBlur={commit}
      />
      <datalist id="index-names">
        {['*', ...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
