/** Copies the documents of an index into another one. The name that is typed is the one that is written to. */
import { useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { FormDialog, NameBox } from '../parts/form.tsx'

interface ReindexDialogProps {
  readonly source: string
  readonly started: (task: string, what: string) => void
  readonly close: () => void
}

export function ReindexDialog({ source, started, close }: ReindexDialogProps) {
  const [target, setTarget] = useState('')
  const [typed, setTyped] = useState('')
  const send = async () => {
    const body = { source: { index: source }, dest: { index: target } }
    const { task } = await askSearch<{ task: string }>('/_reindex?wait_for_completion=false', {
      method: 'POST',
      body,
    })
    started(task, `Reindex of ${source} to ${target}`)
  }
  return (
    <FormDialog
      title={`Reindex ${source}`}
      action="Reindex"
      isReady={typed === source && target !== '' && target !== source}
      send={send}
      close={close}
    >
      <p>Documents with the same id are replaced in the index they are copied to.</p>
      <NameBox class="stack tight" value={target} set={setTarget}>
        Copy to the index
      </NameBox>
      <NameBox class="stack tight" value={typed} set={setTyped}>
        Type {source} to go on
      </NameBox>
    </FormDialog>
  )
}
