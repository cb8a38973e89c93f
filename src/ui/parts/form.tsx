/** Forms that are sent to the node: whether one is under way, why it failed, and the dialog most of them stand in. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

interface Submission {
  /** Why the last attempt failed, empty while none has. */
  readonly reason: string
  readonly isBusy: boolean
  readonly submit: (event: Event) => Promise<void>
}

export function useSubmission(send: () => Promise<void>): Submission {
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await send()
    } catch (error) {
      setReason((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { reason, isBusy, submit }
}

interface FormProps {
  readonly class: string
  readonly submit: () => void
  readonly children: ComponentChildren
}

/** Sent by its button or the enter key, and handled on this page. */
export function Form({ class: look, submit, children }: FormProps) {
  return (
    <form
      class={look}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {children}
    </form>
  )
}

/** A sentence about what went wrong, read out at once; nothing when there is none. */
export function Alert({ text }: { text: string }) {
  if (text === '') return null
  return (
    <p class="bad" role="alert">
      {text}
    </p>
  )
}

interface NameBoxProps {
  readonly value: string
  readonly set: (value: string) => void
  readonly class?: string
  /** What the name is of. */
  readonly children: ComponentChildren
}

/** A labelled box for a name, which the browser neither guesses nor corrects. */
export function NameBox({ value, set, class: look = 'stack', children }: NameBoxProps) {
  return (
    <label class={look}>
      {children}
      <input
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}

interface FormDialogProps {
  readonly title: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
  /** What the button says that sends the form. */
  readonly action: string
  readonly actionClass?: string
  /** May it be sent as it is filled in? */
  readonly isReady: boolean
  readonly send: () => Promise<void>
  readonly close: () => void
}

/** Closes when the form was sent, and stays with the reason when that failed. */
export function FormDialog(props: FormDialogProps) {
  const { title, isWide = false, children, action, actionClass = 'primary', isReady, send, close } = props
  const { reason, isBusy, submit } = useSubmission(async () => {
    if (!isReady) return
    await send()
    close()
  })
  return (
    <Dialog title={title} close={close} isWide={isWide}>
      <form class="stack" onSubmit={submit}>
        {children}
        <Alert text={reason} />
        <div class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class={actionClass} disabled={!isReady || isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
