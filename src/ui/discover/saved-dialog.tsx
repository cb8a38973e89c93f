/** Saved searches: keep this one under a name, open or forget others. */
import { useState } from 'preact/hooks'
import { say } from '../parts/copy.ts'
import { CloseLine, Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { addressOf, go, place } from '../shell/place.ts'
import { forgetSearch, keptQuery, savedSearches, saveSearch } from './saved-searches.ts'

export function SavedDialog({ close }: { close: () => void }) {
  const [name, setName] = useState('')
  const [list, setList] = useState(savedSearches)
  const save = () => {
    saveSearch(name.trim(), keptQuery(place.value.parameters))
    say(`The search was saved as ${name.trim()}.`)
    close()
  }
  return (
    <Dialog title="Saved searches" close={close}>
      <Form class="line" submit={save}>
        <input
          class="grow"
          aria-label="Name for this search"
          placeholder="Name for this search"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={name.trim() === ''}>
          Save
        </button>
      </Form>
      {list.length === 0 && <p class="muted">Nothing is saved in this browser yet.</p>}
      <ul class="stack tight saved">
        {list.map((one) => (
          <li key={one.name} class="line">
            <button
              type="button"
              class="plain grow saved-name"
              onClick={() => {
                close()
                go(addressOf(['discover'], new URLSearchParams(one.query)))
              }}
            >
              <strong>{one.name}</strong>
              <span class="muted tiny">{describe(one.query)}</span>
            </button>
            <IconButton
              icon="close"
              label={`Forget ${one.name}`}
              title="Forget"
              onClick={() => {
                forgetSearch(one.name)
                setList(savedSearches())
              }}
            />
          </li>
        ))}
      </ul>
      <CloseLine close={close} />
    </Dialog>
  )
}

function describe(query: string): string {
  const parameters = new URLSearchParams(query)
  return [parameters.get('i') ?? '*', parameters.get('q'), parameters.get('f'), parameters.get('t')]
    .filter((part) => part !== null && part !== '')
    .join(' · ')
    .slice(0, 120)
}
