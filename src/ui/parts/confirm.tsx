/** Asks for a name to be typed before something is done that cannot be undone. */
import { useState } from 'preact/hooks'
import { FormDialog, NameBox } from './form.tsx'

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
  return (
    <FormDialog
      title={title}
      action={action}
      actionClass="danger primary"
      isReady={typed === word}
      send={run}
      close={close}
    >
      <p>{text}</p>
      <NameBox value={typed} set={setTyped}>
        <span>
          Type <code>{word}</code> to go on:
        </span>
      </NameBox>
    </FormDialog>
  )
}
