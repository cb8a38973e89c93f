/** The frame: header with the views, the state of the connection, theme and help, and the view itself below. */
import { signal } from '@preact/signals'
import { type ComponentType, createElement } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { connection, latest, nextTry, startLive, tryNow } from '../api/live.ts'
import { isSignedOut, signOut, visitor } from '../api/session.ts'
import { said } from '../parts/copy.ts'
import { clock } from '../parts/format.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { Icon, Wheel } from '../parts/icons.tsx'
import { Problem, Waiting } from '../parts/states.tsx'
import { KeyHelp } from './key-help.tsx'
import { useKeys } from './keys.ts'
import { place } from './place.ts'
import { SignInAgain, SignInPage } from './sign-in.tsx'
import { nextTheme, theme } from './theme.ts'
import { type View, viewNamed, views, viewsInSight } from './views.ts'

const isHelpOpen = signal(false)

export function App() {
  const view = viewNamed(place.value.path[0])
  const node = latest.value?.stats.name
  useEffect(() => {
    document.title = `${view.title} · ${node ?? 'Millrace'}`
  }, [view, node])
  useKeys(useMemo(() => [{ key: '?', does: 'shows this list', run: () => (isHelpOpen.value = true) }], []))
  if (visitor.value === undefined) return <Waiting what="Millrace" />
  if (!visitor.value.may_look) return <SignInPage done={startLive} />
  return (
    <>
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <Head current={view} />
      <GoneBar />
      <main id="main" tabIndex={-1} class={connection.value === 'live' ? '' : 'stale'}>
        <Shown view={view} />
      </main>
      <div class="said" role="status" aria-live="polite">
        {said.value}
      </div>
      {isSignedOut.value && <SignInAgain done={tryNow} />}
      {isHelpOpen.value && <KeyHelp close={() => (isHelpOpen.value = false)} />}
    </>
  )
}

const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const

function Head({ current }: { current: View }) {
  return (
    <header class="frame-head">
      <a class="brand" href="/ui/flow" aria-label="Millrace">
        <Wheel />
        <span class="wide-only">Millrace</span>
      </a>
      <Views current={current} />
      <div class="frame-end">
        <Light />
        {visitor.value?.user && (
          <IconButton
            icon="leave"
            label={`Sign out ${visitor.value.user}`}
            title={`Signed in as ${visitor.value.user}. Sign out`}
            class="plain icon"
            onClick={() => void signOut()}
          />
        )}
        <IconButton
          icon={themeIcons[theme.value]}
          label={`Theme: ${theme.value}`}
          title={`Theme: ${theme.value}`}
          class="plain icon"
          onClick={nextTheme}
        />
        <IconButton
          icon="help"
          label="Keys"
          title="Keys (?)"
          class="plain icon wide-only"
          onClick={() => (isHelpOpen.value = true)}
        />
      </div>
    </header>
  )
}

/** Lists the views; on a phone the first ones stand at the bottom, and the others in a sheet above them. */
function Views({ current }: { current: View }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [current])
  const link = (view: View) => (
    <a
      key={view.name}
      href={`/ui/${view.name}`}
      aria-label={view.title}
      aria-current={view === current ? 'page' : undefined}
    >
      <Icon name={view.icon} />
      <span>{view.title}</span>
    </a>
  )
  const others = views.slice(viewsInSight)
  const isOther = others.includes(current)
  return (
    <nav
      class="views"
      aria-label="Views"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      {views.slice(0, viewsInSight).map(link)}
      <div class={isOpen ? 'other-views opened' : 'other-views'}>{others.map(link)}</div>
      <button
        type="button"
        class={`plain more-views${isOther ? ' current' : ''}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOther ? current.icon : 'more'} />
        <span>{isOther ? current.title : 'More'}</span>
      </button>
    </nav>
  )
}

const words = {
  waiting: ['', 'connecting'],
  live: ['ok', 'live'],
  stale: ['warn', 'stale'],
  gone: ['bad', 'gone'],
  refused: ['bad', 'refused'],
} as const

/** Says in a word, not only in a colour, whether the figures are of now. */
function Light() {
  const [tone, word] = words[connection.value]
  const snapshot = latest.value
  const isOld = connection.value === 'stale' || connection.value === 'gone'
  return (
    <span
      class={`line ${tone}`}
      title={snapshot ? `Last figures at ${clock(snapshot.at)}` : 'No figures yet'}
    >
      <span class="light" aria-hidden="true" />
      <span class="node-name">{snapshot?.stats.name ?? ''}</span>
      <span class="tiny wide-only">{isOld && snapshot ? `as of ${clock(snapshot.at)}` : word}</span>
    </span>
  )
}

function GoneBar() {
  const [, tick] = useState(0)
  const isGone = connection.value === 'gone'
  useEffect(() => {
    if (!isGone) return
    const timer = setInterval(() => tick((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [isGone])
  if (!isGone) return null
  const seconds = Math.max(0, Math.ceil(((nextTry.value ?? Date.now()) - Date.now()) / 1000))
  const at = latest.value?.at
  return (
    <div class="gone-bar" role="alert">
      <span>The node does not answer{at === undefined ? '' : `; what you see is of ${clock(at)}`}.</span>
      <span aria-live="off">{seconds === 0 ? 'Trying…' : `Next try in ${seconds} s.`}</span>
      <button type="button" onClick={tryNow}>
        Now
      </button>
    </div>
  )
}

/** A view that comes later; a script that cannot be had is an error of the view alone. */
function Shown({ view }: { view: View }) {
  const [loaded, setLoaded] = useState<{ view: View; component?: ComponentType; error?: unknown }>()
  const [round, setRound] = useState(0)
  const box = useRef<View>(view)
  useEffect(() => {
    box.current = view
    const shown = view.load()
    if (!(shown instanceof Promise)) return setLoaded({ view, component: shown })
    shown.then(
      (component) => box.current === view && setLoaded({ view, component }),
      (error: unknown) => box.current === view && setLoaded({ view, error }),
    )
  }, [view, round])
  if (loaded?.view !== view) return <Waiting what={view.title} />
  if (loaded.component === undefined)
    return (
      <div class="view">
        <Problem error={loaded.error} doing={`Loading ${view.title}`} retry={() => setRound(round + 1)} />
      </div>
    )
  return createElement(loaded.component, null)
}
