/** Where the query is typed: completion of fields and values, and a word when it cannot be read. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { recallList } from '../shell/preferences.ts'
import { complete, type Typing, typingAt } from './query-completion.ts'
import { completionBody, queryOf } from './request.ts'
import { countedName, type Fields } from './use-fields.ts'

interface QueryBoxProps {
  readonly query: string
  readonly syntax: 'lucene' | 'simple'
  readonly index: string
  readonly fields: Fields | undefined
  readonly run: (query: string) => void
}

interface Choice {
  readonly text: string
  readonly note: string
}

const checkAfter = 300
const askAfter = 150
const maxChoices = 12

export function QueryBox({ query, syntax, index, fields, run }: QueryBoxProps) {
  const [draft, setDraft] = useState(query)
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [at, setAt] = useState(-1)
  const [typing, setTyping] = useState<Typing>()
  const [problem, setProblem] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const asking = useRef<AbortController | undefined>(undefined)
  const id = useId()
  useEffect(() => setDraft(query), [query])

  useEffect(() => {
    if (draft.trim() === '' || syntax === 'simple') return setProblem('')
    const ending = new AbortController()
    const timer = setTimeout(() => {
      const body = {
        query: queryOf(
          { query: draft, syntax, filters: [] },
          { timeField: undefined, bounds: { from: undefined, to: undefined } },
        ),
      }
      askSearch<{ valid: boolean; explanations?: readonly { error?: string }[] }>(
        `/${encodeURIComponent(index)}/_validate/query?explain=true&ignore_unavailable=true`,
        { method: 'POST', body, signal: ending.signal },
      ).then(
        ({ valid, explanations }) =>
          setProblem(valid ? '' : reasonIn(explanations?.find(({ error }) => error)?.error)),
        () => undefined,
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [draft, syntax, index])

  const close = () => {
    asking.current?.abort()
    setChoices([])
    setAt(-1)
  }

  const suggest = (text: string, caret: number) => {
    asking.current?.abort()
    setAt(-1)
    const now = typingAt(text, caret)
    setTyping(now)
    if (now === undefined || fields === undefined) return setChoices([])
    if (now.kind === 'field')
      return setChoices(now.start === '' && text !== '' ? [] : fieldChoices(fields, now.start))
    const field = countedName(fields, now.field ?? '')
    if (field === undefined) return setChoices([])
    const ending = new AbortController()
    asking.current = ending
    setTimeout(() => {
      if (ending.signal.aborted) return
      askSearch<{
        aggregations?: {
          values: { buckets: readonly { key: unknown; key_as_string?: string; doc_count: number }[] }
        }
      }>(`/${encodeURIComponent(index)}/_search?ignore_unavailable=true`, {
        method: 'POST',
        body: completionBody(field, fields.byName.get(field)?.type === 'keyword' ? now.start : ''),
        signal: ending.signal,
      }).then(
        ({ aggregations }) =>
          setChoices(
            (aggregations?.values.buckets ?? [])
              .map(({ key, key_as_string, doc_count }) => ({
                text: key_as_string ?? String(key),
                note: doc_count.toLocaleString('en'),
              }))
              .filter(({ text }) => text.toLowerCase().startsWith(now.start.toLowerCase()))
              .slice(0, maxChoices),
          ),
        () => setChoices([]),
      )
    }, askAfter)
  }

  const choose = (choice: Choice) => {
    const input = box.current
    if (input === null || typing === undefined) return
    const done = complete(draft, input.selectionStart ?? draft.length, typing, choice.text)
    setDraft(done.query)
    close()
    queueMicrotask(() => {
      input.value = done.query
      input.focus()
      input.setSelectionRange(done.caret, done.caret)
      if (typing.kind === 'field') suggest(done.query, done.caret)
    })
  }

  const key = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && choices.length > 0) setAt((at + 1) % choices.length)
    else if (event.key === 'ArrowUp' && choices.length > 0) setAt((at - 1 + choices.length) % choices.length)
    else if (event.key === 'Escape' && choices.length > 0) {
      close()
      event.stopPropagation()
    } else if ((event.key === 'Enter' || event.key === 'Tab') && at >= 0 && choices[at]) choose(choices[at])
    else if (event.key === 'Enter') {
      close()
      run(draft)
    } else return
    event.preventDefault()
  }

  return (
    <div class="query-box">
      <input
        ref={box}
        id="query"
        type="text"
        role="combobox"
        aria-label={syntax === 'lucene' ? 'Query in Lucene syntax' : 'Query in simple syntax'}
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-problem`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        placeholder={
          syntax === 'lucene' ? 'status:>=500 AND message:"timed out"' : '"timed out" +error -debug'
        }
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={draft}
        onInput={(event) => {
          setDraft(event.currentTarget.value)
          suggest(event.currentTarget.value, event.currentTarget.selectionStart ?? 0)
        }}
        onKeyDown={key}
        onBlur={() => setTimeout(close, 150)}
      />
      {problem !== '' && (
        <p id={`${id}-problem`} class="query-problem bad tiny" role="status">
          {problem}
        </p>
      )}
      {choices.length > 0 && (
        <ul id={`${id}-list`} class="choices" role="listbox" aria-label="Completions">
          {choices.map((choice, index) => (
            <li
              key={choice.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => {
                event.preventDefault()
                choose(choice)
              }}
            >
              <span>{choice.text}</span>
              <span class="muted tiny">{choice.note}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function fieldChoices({ all }: Fields, start: string): Choice[] {
  const low = start.toLowerCase()
  const found = all.filter(({ name }) => name.toLowerCase().includes(low))
  const rank = ({ name }: { name: string }) => (name.toLowerCase().startsWith(low) ? 0 : 1)
  return found
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxChoices)
    .map(({ name, type }) => ({ text: name, note: type }))
}

/** The first sentence of what the parser says, without its class names. */
function reasonIn(error: string | undefined): string {
  const cause = /ParseException\[(.*)/s.exec(error ?? '')?.[1] ?? error ?? 'The query cannot be read.'
  return (cause.split('\n')[0] ?? '').replace(/\]+$/, '').slice(0, 300)
}

export function earlierQueries(): string[] {
  return recallList('searches')
}
