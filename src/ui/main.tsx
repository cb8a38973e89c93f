/** Starts the dashboard in the page that the node served. */
import { render } from 'preact'
import { startLive } from './api/live.ts'
import { loadVisitor, visitor } from './api/session.ts'
import { App } from './shell/app.tsx'
import { watchKeys } from './shell/keys.ts'
import { go, watchPlace } from './shell/place.ts'
import { applyTheme } from './shell/theme.ts'
import { views } from './shell/views.ts'

applyTheme()
watchPlace()
watchKeys((letter) => {
  const view = views.find(({ key }) => key === letter)
  if (view !== undefined) go(`/ui/${view.name}`)
  return view !== undefined
})
const root = document.getElementById('app')!
root.replaceChildren()
render(<App />, root)
void loadVisitor().then(() => {
  if (visitor.value?.may_look) startLive()
})
