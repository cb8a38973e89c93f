/** What saving would change, before it is saved; then the pipeline may be loaded anew. */
import { useState } from 'preact/hooks'
import { CheckBox } from '../parts/check-box.tsx'
import { Alert, FormDialog } from '../parts/form.tsx'
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
  const [isLoaded, setLoaded] = useState(true)
  const send = async () => {
    await save()
    if (isLoaded) await loadPipeline()
  }
  return (
    <FormDialog
      title="Save the configuration?"
      isWide
      action="Save"
      isReady={errors === 0}
      send={send}
      close={close}
    >
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
      <Alert text={errors > 0 ? 'The text has errors: it would be saved, but not loaded.' : ''} />
      <CheckBox isOn={isLoaded && errors === 0} isDisabled={errors > 0} set={setLoaded}>
        load the pipeline anew
      </CheckBox>
    </FormDialog>
  )
}
