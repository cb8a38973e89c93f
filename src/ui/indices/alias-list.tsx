/** Other names of an index, to add and to take away. */
import { useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { say } from '../parts/copy.ts'
import { Form } from '../parts/form.tsx'

interface AliasListProps {
  readonly name: string
  readonly aliases: unknown
  readonly changed: () => void
}

export function AliasList({ name, aliases, changed }: AliasListProps) {
  const [typed, setTyped] = useState('')
  const names = Object.keys((aliases ?? {}) as object)
  const act = async (action: 'add' | 'remove', alias: string) => {
    try {
      const body = { actions: [{ [action]: { index: name, alias } }] }
      await askSearch('/_aliases', { method: 'POST', body })
      say(
        action === 'add'
          ? `${alias} is another name of ${name}.`
          : `${alias} is no name of ${name} any more.`,
      )
      setTyped('')
      changed()
    } catch (error) {
      say((error as Error).message)
    }
  }
  return (
    <section class="card body stack" aria-label="Aliases">
      {names.length === 0 && <p class="muted">It has no other name.</p>}
      <ul class="stack tight">
        {names.map((alias) => (
          <li key={alias} class="line">
            <code>{alias}</code>
            <ChangeButton
              class="small"
              label={`Remove alias ${alias}`}
              onClick={() => void act('remove', alias)}
            >
              Remove
            </ChangeButton>
          </li>
        ))}
      </ul>
      <Form class="line" submit={() => typed !== '' && void act('add', typed)}>
        <input
          aria-label="New alias"
          placeholder="New alias"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <ChangeButton type="submit" disabled={typed === ''}>
          Add
        </ChangeButton>
      </Form>
    </section>
  )
}
