/** Configurations: their files, what is wrong with them while they are written, and what they do to events. */

import { useEffect, useState } from 'preact/hooks'
import { ApiProblem, ask } from '../api/ask.ts'
import { latest } from '../api/live.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { Choice } from '../parts/choice.tsx'
import { say } from '../parts/copy.ts'
import { lazyPart } from '../parts/lazy-part.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { Worded } from '../parts/worded.tsx'
import { addressOf, go, place, setParameters } from '../shell/place.ts'
import type { CodeEditorProps } from './code-editor.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { Simulation } from './simulation.tsx'

interface SourcePart {
  readonly protocol: string
  readonly id: string
  readonly text: string
  readonly hash: string
}

interface Source {
  readonly writable: boolean
  readonly parts: readonly SourcePart[]
}

export interface CheckedProblem {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly hint?: string
}

const CodeEditor = lazyPart<CodeEditorProps>('the editor', () => import('./code-editor.tsx'))
const checkAfter = 400
const noProblems: readonly CheckedProblem[] = []

export function EditorView() {
  const names = Object.keys(latest.value?.stats.pipelines ?? {})
  const pipeline = place.value.path[1] ?? names[0]
  const source = useData(pipeline, (signal) =>
    ask<Source>(`/_node/pipelines/${encodeURIComponent(pipeline!)}/_source`, { signal }),
  )
  const asked = place.value.parameters.get('file')
  const part = source.value?.parts.find(({ id }) => id === asked) ?? source.value?.parts[0]
  return (
    <div class="view editor">
      <header class="view-head">
        <h1>Editor</h1>
        {names.length > 0 && (
          <Choice
            label="Pipeline"
            value={pipeline}
            values={names}
            choose={(name) => go(addressOf(['editor', name]))}
          />
        )}
        {source.value && source.value.parts.length > 1 && (
          <Choice
            label="File"
            value={part?.id}
            values={source.value.parts.map(({ id }) => id)}
            choose={(file) => setParameters({ file, line: undefined })}
          />
        )}
      </header>
      {latest.value !== undefined && pipeline === undefined && <Empty title="No pipeline runs." />}
      {source.error !== undefined && (
        <Problem error={source.error} doing="Reading the configuration" retry={source.again} />
      )}
      {source.value === undefined && source.error === undefined && pipeline !== undefined && (
        <Waiting what="the configuration" />
      )}
      {part && source.value && pipeline !== undefined && (
        <Bench
          key={`${pipeline} ${part.id}`}
          pipeline={pipeline}
          part={part}
          isWritable={source.value.writable && part.protocol === 'file'}
          reload={source.again}
        />
      )}
    </div>
  )
}

interface BenchProps {
  readonly pipeline: string
  readonly part: SourcePart
  readonly isWritable: boolean
  readonly reload: () => void
}

function Bench({ pipeline, part, isWritable, reload }: BenchProps) {
  const [text, setText] = useState(part.text)
  const [loaded, setLoaded] = useState({ text: part.text })
  const [isSaving, setSaving] = useState(false)
  const line = Number(place.value.parameters.get('line')) || undefined
  const [target, setTarget] = useState(line === undefined ? undefined : { line, column: 1 })
  const checked = useChecked(pipeline, part.id, text)
  const problems = checked.problems.filter(({ file }) => file === undefined || file === part.id)
  const isChanged = text !== part.text
  const errors = checked.problems.filter(({ severity }) => severity === 'error').length
  const save = () => {
    if (isWritable && isChanged) setSaving(true)
  }
  return (
    <div class="editor-bench">
      <section class="card editor-side" aria-label="Configuration">
        <header>
          <h2 class="grow mono-title small-title">{part.id}</h2>
          {isChanged && <span class="tag warn">changed</span>}
          <button
            type="button"
            disabled={!isChanged}
            onClick={() => {
              setText(part.text)
              setLoaded({ text: part.text })
            }}
          >
            Undo all
          </button>
          <ChangeButton class="primary" disabled={!isWritable || !isChanged} onClick={save}>
            Save…
          </ChangeButton>
        </header>
        {!isWritable && (
          <p class="body muted tiny">
            {part.protocol === 'file'
              ? 'Nothing is saved from here: this node asks nobody to sign in (security.enabled).'
              : 'This text is no file; it was given on the command line.'}{' '}
            It can be tried all the same.
          </p>
        )}
        <CodeEditor
          loaded={loaded}
          label={`Text of ${part.id}`}
          problems={problems}
          isReadOnly={false}
          target={target}
          changed={setText}
          save={save}
        />
        <ProblemList
          problems={checked.problems}
          error={checked.error}
          isChecked={checked.isChecked}
          own={part.id}
          show={(problem) => setTarget({ line: problem.line, column: problem.column })}
        />
        <p class="body muted tiny">
          Ctrl+Space completes; Ctrl+/ comments; Tab indents; Escape, then Tab leaves the text.
        </p>
      </section>
      <Simulation pipeline={pipeline} file={part.id} text={text} hasErrors={errors > 0} />
      {isSaving && (
        <SaveDialog
          before={part.text}
          after={text}
          errors={errors}
          save={async () => {
            await ask(`/_node/pipelines/${encodeURIComponent(pipeline)}/_source`, {
              method: 'PUT',
              body: { id: part.id, text, hash: part.hash },
            })
            say(`${part.id} was saved.`)
            reload()
          }}
          loadPipeline={async () => {
            await ask(`/_node/pipelines/${encodeURIComponent(pipeline)}/_reload`, { method: 'POST' })
            say(`${pipeline} was loaded anew.`)
          }}
          close={() => setSaving(false)}
        />
      )}
    </div>
  )
}

function useChecked(pipeline: string, file: string, text: string) {
  const [state, setState] = useState<{
    problems: readonly CheckedProblem[]
    error: unknown
    isChecked: boolean
  }>({ problems: noProblems, error: undefined, isChecked: false })
  useEffect(() => {
    const ending = new AbortController()
    const timer = setTimeout(() => {
      ask<{ problems: readonly CheckedProblem[] }>('/_node/_check', {
        method: 'POST',
        body: { config: text, pipeline, file },
        signal: ending.signal,
      }).then(
        ({ problems }) => setState({ problems, error: undefined, isChecked: true }),
        (error: unknown) => {
          if (!ending.signal.aborted) setState({ problems: noProblems, error, isChecked: false })
        },
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [pipeline, file, text])
  return state
}

function ProblemList({
  problems,
  error,
  isChecked,
  own,
  show,
}: {
  problems: readonly CheckedProblem[]
  error: unknown
  isChecked: boolean
  own: string
  show: (problem: CheckedProblem) => void
}) {
  if (error !== undefined) {
    const status = error instanceof ApiProblem ? error.status : 0
    return (
      <p class="body muted" role="status">
        {status === 404 ? 'This node cannot check texts.' : `The check failed: ${(error as Error).message}`}
      </p>
    )
  }
  if (problems.length === 0)
    return (
      <p class="body" role="status">
        {isChecked ? <span class="ok">No problems.</span> : <span class="muted">Checking…</span>}
      </p>
    )
  return (
    <ol class="problems" aria-label="Problems">
      {problems.map((problem, index) => (
        <li key={`${index} ${problem.line}`}>
          <button
            type="button"
            class="plain problem-line"
            disabled={problem.file !== undefined && problem.file !== own}
            onClick={() => show(problem)}
          >
            <span class={`tag ${problem.severity === 'error' ? 'bad' : 'warn'}`}>{problem.severity}</span>
            <span class="mono muted">
              {problem.file !== undefined && problem.file !== own ? `${problem.file}:` : ''}
              {problem.line}:{problem.column}
            </span>
            <span class="problem-text">
              {problem.message}
              {problem.hint !== undefined && (
                <span class="muted">
                  {' '}
                  <Worded text={problem.hint} />
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
