/** Copies the documents of an index into another one. The name that is typed is the one that is written to. */
import { useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { Dialog } from '../parts/dialog.tsx'

interface ReindexDialogProps {
  readonly source: string
  readonly started: (task: string, what: string) => void
  readonly close: () => void
}

export function ReindexDialog({ source, started, close }: ReindexDialogProps) {
  const [target, setTarget] = useState('')
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    if (typed !== source || target === '') return
    try {
      const body = { source: { index: source }, dest: { index: target } }
      const { task } = await askSearch<{ task: string }>('/_reindex?wait_for_completion=false', {
        method: 'POST',
        body,
      })
      started(task, `Reindex of ${source} to ${target}`)
      close()
    } catch (error) {
      setReason((error as Error).message)
    }
  }
  const box = (label: string, value: string, set: (value: string) => void) => (
    <label class="stack tight">
      {label}
      <input
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
  return (
    <Dialog title={`Reindex ${source}`} close={close}>
      <form class="stack" onSubmit={submit}>
        <p>Documents with the same id are replaced in the index they are copied to.</p>
        {box('Copy to the index', target, setTarget)}
        {box(`Type ${source} to go on`, typed, setTyped)}
        {reason !== '' && (
          <p class="bad" role="alert">
            {reason}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            class="primary"
            disabled={typed !== source || target === '' || target === source}
          >
            Reindex
          </button>
        </div>
      </form>
    </Dialog>
  )
}
