/** One dead letter: why it was given up, its event as text that can be changed, and the way back into the pipeline. */
import { useMemo, useState } from 'preact/hooks'
import { parseExact, writeExact } from '../api/exact-json.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { ChangesView } from '../parts/changes-view.tsx'
import { copy } from '../parts/copy.ts'
import { Dialog } from '../parts/dialog.tsx'
import { changesBetween } from '../parts/event-changes.ts'
import { Alert, useSubmission } from '../parts/form.tsx'
import { changedBody, type Letter, replayBody } from './letters.ts'

interface LetterDialogProps {
  readonly letter: Letter
  readonly replay: (body: string) => Promise<void>
  readonly close: () => void
}

export function LetterDialog({ letter, replay, close }: LetterDialogProps) {
  const original = useMemo(() => writeExact(letter.event), [letter])
  const [text, setText] = useState(original)
  const isChanged = text !== original
  const edited = useMemo(() => {
    try {
      return { event: parseExact(text) }
    } catch {
      return undefined
    }
  }, [text])
  const { reason, isBusy, submit } = useSubmission(async () => {
    await replay(isChanged ? changedBody(letter, text) : replayBody([letter]))
    close()
  })
  return (
    <Dialog title="Dead letter" close={close} isWide>
      <form class="stack" onSubmit={submit}>
        <dl class="facts">
          <dt>given up at</dt>
          <dd>{letter.entry_time}</dd>
          <dt>by</dt>
          <dd>
            {letter.plugin_type} ({letter.plugin_id})
          </dd>
          <dt>reason</dt>
          <dd>{letter.reason}</dd>
        </dl>
        {letter.problem !== undefined ? (
          <p class="bad">{letter.problem}</p>
        ) : (
          <label class="stack tight">
            Event
            <textarea
              class="letter-event"
              spellcheck={false}
              rows={14}
              value={text}
              aria-invalid={edited === undefined}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        )}
        <Alert text={edited === undefined ? 'This is no JSON.' : ''} />
        {isChanged && edited !== undefined && (
          <ChangesView changes={changesBetween(letter.event, edited.event)} label="What you changed" />
        )}
        <Alert text={reason} />
        <div class="buttons">
          <button type="button" onClick={() => void copy(text, 'The event')}>
            Copy
          </button>
          <button type="button" onClick={close}>
            Close
          </button>
          <ChangeButton
            type="submit"
            class="primary"
            disabled={isBusy || edited === undefined || letter.event === null}
          >
            {isChanged ? 'Replay as changed' : 'Replay'}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  )
}
