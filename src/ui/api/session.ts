/** Who looks at the page. The password is sent once; afterwards a cookie that no script can read stands for it. */
import { computed, effect, signal } from '@preact/signals'
import { ApiProblem, ask, onSignedOut } from './ask.ts'
import { connection } from './live.ts'

interface Visitor {
  /** Whether this node asks anybody to sign in. */
  readonly asks: boolean
  readonly user: string | null
  readonly may_look: boolean
  readonly may_change: boolean
}

const path = '/ui/session'

export const visitor = signal<Visitor | undefined>(undefined)
/** The session ended while the page was open. */
export const isSignedOut = signal(false)

/** Why nothing can be changed; empty when it can. */
export const refusal = computed(() => {
  const now = visitor.value
  if (now === undefined || !now.asks || now.may_change) return ''
  return now.user === null ? 'Sign in to change anything.' : `${now.user} may look, but not change anything.`
})

export async function loadVisitor(): Promise<void> {
  try {
    visitor.value = await ask<Visitor>(path)
  } catch {
    // The page says by itself that the node does not answer.
    visitor.value = { asks: false, user: null, may_look: true, may_change: true }
  }
  const end = () => {
    if (visitor.value?.asks === true && visitor.value.user !== null) isSignedOut.value = true
  }
  onSignedOut(end)
  // A stream that is refused does not say why.
  effect(() => {
    if (connection.value !== 'gone') return
    ask<Visitor>(path).then(
      ({ asks, user }) => asks && user === null && end(),
      () => undefined,
    )
  })
}

/** Throws a sentence for people. */
export async function signIn(username: string, password: string): Promise<void> {
  const found = await ask<Visitor>(path, { method: 'POST', body: { username, password } })
  if (!found.may_look) throw new ApiProblem(403, 'error', `${username} may not look at this node.`)
  visitor.value = found
  isSignedOut.value = false
}

export async function signOut(): Promise<void> {
  await ask(path, { method: 'DELETE' })
  location.assign('/ui')
}
