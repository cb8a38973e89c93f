/** Signing in: a page of its own at first, a dialog over the page when a session ends, so that what was typed stays. */
import { useState } from 'preact/hooks'
import { isSignedOut, signIn, visitor } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Alert, useSubmission } from '../parts/form.tsx'
import { Wheel } from '../parts/icons.tsx'

export function SignInPage({ done }: { done: () => void }) {
  return (
    <main class="sign-in" id="main">
      <div class="card body stack">
        <h1 class="line">
          <span class="brand-sign">
            <Wheel />
          </span>
          Millrace
        </h1>
        <p class="muted">This node asks who you are. Users are those of its search API.</p>
        <SignInForm done={done} />
      </div>
    </main>
  )
}

export function SignInAgain({ done }: { done: () => void }) {
  return (
    <Dialog title="Sign in again" close={() => (isSignedOut.value = false)}>
      <p class="muted">The session has ended. What you typed is still there.</p>
      <SignInForm user={visitor.value?.user ?? ''} done={done} />
    </Dialog>
  )
}

function SignInForm({ user = '', done }: { user?: string; done: () => void }) {
  const [name, setName] = useState(user)
  const [password, setPassword] = useState('')
  const { reason, isBusy, submit } = useSubmission(async () => {
    try {
      await signIn(name, password)
      done()
    } catch (error) {
      setPassword('')
      throw error
    }
  })
  return (
    <form class="stack" onSubmit={submit}>
      <label class="stack tight">
        User
        <input
          name="username"
          autocomplete="username"
          autocapitalize="off"
          spellcheck={false}
          required
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label class="stack tight">
        Password
        <input
          name="password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          aria-invalid={reason !== ''}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </label>
      <Alert text={reason} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy || name === '' || password === ''}>
          Sign in
        </button>
      </div>
    </form>
  )
}
