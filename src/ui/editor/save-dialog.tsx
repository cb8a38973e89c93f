/** What saving would change, before it is saved; then the pipeline may be loaded anew. */
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { lineDifference } from './line-difference.ts'

interface SaveDialogProps {
  readonly before: string
  readonly after: string
  readonly errors: number
  readonly save: () => Promise<void>
  readonly loadPipeline: () => Promise<void>
  readonly close: () => void
}

const signs = { same: ' ', added: '+', removed: '−' } as const

export function SaveDialog({ before, after, errors, save, loadPipeline, close }: SaveDialogProps) {
  const [reason, setReason] = useState('')
  const [isLoaded, setLoaded] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      await save()
      if (isLoaded) await loadPipeline()
      close()
    } catch (error) {
      setReason((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="Save the configuration?" close={close} isWide>
      <form class="stack" onSubmit={submit}>
        <section class="difference scroll" aria-label="What changes" tabIndex={0}>
          <table class="changes">
            <tbody>
              {lineDifference(before, after).map(({ kind, line, text }) => (
                <tr key={`${kind} ${line}`} class={kind}>
                  <td class="num muted">{line}</td>
                  <td class="sign">
                    {signs[kind]}
                    {kind !== 'same' && <span class="unseen">{kind}</span>}
                  </td>
                  <td>
                    {kind === 'added' ? <ins>{text}</ins> : kind === 'removed' ? <del>{text}</del> : text}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        {errors > 0 && (
          <p class="bad" role="alert">
            The text has errors: it would be saved, but not loaded.
          </p>
        )}
        <label class="line">
          <input
            type="checkbox"
            checked={isLoaded && errors === 0}
            disabled={errors > 0}
            onChange={(event) => setLoaded(event.currentTarget.checked)}
          />{' '}
          load the pipeline anew
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
          <button type="submit" class="primary" disabled={isBusy || errors > 0}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
