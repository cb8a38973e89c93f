/** The keys that do something in the view that is shown. */
import { CloseLine, Dialog } from '../parts/dialog.tsx'
import { activeKeys } from './keys.ts'
import { views } from './views.ts'

export function KeyHelp({ close }: { close: () => void }) {
  return (
    <Dialog title="Keys" close={close}>
      <dl class="keys">
        {views.map(({ name, key, title }) => (
          <>
            <dt key={name}>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd key={`${name} does`}>{title}</dd>
          </>
        ))}
        {activeKeys.value.map(({ key, does }) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd key={`${key} does`}>{does}</dd>
          </>
        ))}
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>closes the nearest thing</dd>
      </dl>
      <p class="muted">Letters do nothing inside text boxes.</p>
      <CloseLine close={close} />
    </Dialog>
  )
}
