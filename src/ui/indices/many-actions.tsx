/** What can be done with several indices at once. What cannot be undone wants their number to be typed. */
import { useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { say } from '../parts/copy.ts'
import { count } from '../parts/format.ts'

type Action = 'refresh' | 'open' | 'close' | 'delete'

const done: Readonly<Record<Action, string>> = {
  refresh: 'refreshed',
  open: 'opened',
  close: 'closed',
  delete: 'deleted',
}

export function ManyActions({ names, changed }: { names: readonly string[]; changed: () => void }) {
  const [asking, setAsking] = useState<'close' | 'delete'>()
  if (names.length === 0) return null
  const act = async (action: Action) => {
    for (const name of names) {
      const path = `/${encodeURIComponent(name)}`
      if (action === 'delete') await askSearch(path, { method: 'DELETE' })
      else await askSearch(`${path}/_${action}`, { method: 'POST' })
    }
    say(`${count(names.length)} indices were ${done[action]}.`)
    changed()
  }
  const button = (action: 'refresh' | 'open', title: string) => (
    <ChangeButton onClick={() => void act(action).catch((error: Error) => say(error.message))}>
      {title}
    </ChangeButton>
  )
  return (
    <div class="line many-actions" role="status">
      <span>{count(names.length)} chosen</span>
      {button('refresh', 'Refresh')}
      {button('open', 'Open')}
      <ChangeButton onClick={() => setAsking('close')}>Close</ChangeButton>
      <ChangeButton class="danger" onClick={() => setAsking('delete')}>
        Delete
      </ChangeButton>
      {asking !== undefined && (
        <Confirm
          title={asking === 'delete' ? 'Delete these indices?' : 'Close these indices?'}
          text={names.join(', ')}
          word={String(names.length)}
          action={asking === 'delete' ? 'Delete all' : 'Close all'}
          run={() => act(asking)}
          close={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}
