/** Asks for a name to be typed before something is done that cannot be undone. */
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** What has to be typed. */
  readonly word: string
  readonly action: string
  readonly run: () => Promise<void>
  readonly close: () => void
}

export function Confirm({ title, text, word, action, run, close }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    if (typed !== word || isBusy) return
    setBusy(true)
    try {
      await run()
      close()
    } catch (error) {
      setReason((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} close={close}>
      <form class="stack" onSubmit={submit}>
        <p>{text}</p>
        <label class="stack">
          <span>
            Type <code>{word}</code> to go on:
          </span>
          <input
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {reason !== '' && (
          <p class="bad" role="alert">
            {reason}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="danger primary" disabled={typed !== word || isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
