/**
 * The text of a configuration in CodeMirror, which comes with the first editor. It lives in a shadow root: there its
 * style sheets are made by script objects, which the page's policy allows, and not by elements, which it does not.
 */
import {
  copyLineDown,
  deleteLine,
  history,
  historyKeymap,
  indentWithTab,
  moveLineDown,
  moveLineUp,
  standardKeymap,
  toggleLineComment,
} from '@codemirror/commands'
import { EditorState, RangeSetBuilder, StateEffect, StateField, Transaction } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { completing } from './completion-list.ts'
import { nodeReference } from './completions.ts'
import { tokensOf } from './config-tokens.ts'

/** From 1. */
export interface Problem {
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface CodeEditorProps {
  /** What to show; another object replaces what was written since. */
  readonly loaded: { readonly text: string }
  readonly label: string
  readonly problems: readonly Problem[]
  readonly isReadOnly: boolean
  /** Where to go; a new object goes there again. */
  readonly target: { readonly line: number; readonly column: number } | undefined
  readonly changed: (text: string) => void
  readonly save: () => void
}

const reference = nodeReference()

/** The keys for lines that people know from other editors; the whole table of the library is larger. */
const lineKeys = [
  { key: 'Alt-ArrowUp', run: moveLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown },
  { key: 'Shift-Alt-ArrowDown', run: copyLineDown },
  { key: 'Shift-Mod-k', run: deleteLine },
  { key: 'Mod-/', run: toggleLineComment },
]

const comments = EditorState.languageData.of(() => [{ commentTokens: { line: '#' } }])

const setProblems = StateEffect.define<readonly Problem[]>()

const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const told = transaction.effects.find((effect) => effect.is(setProblems))
    if (told === undefined) return marks.map(transaction.changes)
    const { doc } = transaction.state
    const ranges = (told.value as readonly Problem[]).flatMap(({ line, column, severity, message }) => {
      if (line < 1 || line > doc.lines) return []
      const { from, to, text } = doc.line(line)
      const start = Math.min(to, from + Math.max(0, column - 1))
      const word = /^(?:[\w@.-]+|\S)/.exec(text.slice(start - from))?.[0].length ?? 1
      const end = Math.min(to, start + word)
      const range = start < end ? ([start, end] as const) : ([from, to] as const)
      if (range[0] === range[1]) return []
      const mark = Decoration.mark({ class: `problem-${severity}`, attributes: { title: message } })
      return [mark.range(...range)]
    })
    return Decoration.set(ranges, true)
  },
  provide: (field) => EditorView.decorations.from(field),
})

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = coloured(view)
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = coloured(update.view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function coloured({ visibleRanges, state: { doc } }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at)
      for (const token of tokensOf(line.text))
        marks.add(line.from + token.from, line.from + token.to, Decoration.mark({ class: `t-${token.kind}` }))
      at = line.to + 1
    }
  return marks.finish()
}

/** Colours are tokens of the page, which a shadow root inherits. */
const looks = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--bg)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.problem-error': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  '.problem-warning': { textDecoration: 'underline wavy var(--warn)', textUnderlineOffset: '3px' },
  '.t-comment': { color: 'var(--muted)', fontStyle: 'italic' },
  '.t-string': { color: 'var(--ok)' },
  '.t-regexp': { color: 'var(--bad)' },
  '.t-section': { color: 'var(--accent)', fontWeight: '600' },
  '.t-name': { color: 'var(--filter)', fontWeight: '600' },
  '.t-option': { color: 'var(--condition)' },
  '.t-number': { color: 'var(--output)' },
  '.t-field': { color: 'var(--output)' },
})

export default function CodeEditor(props: CodeEditorProps) {
  const { loaded, label, problems, isReadOnly, target } = props
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const root = box.current!.shadowRoot ?? box.current!.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: loaded.text,
        extensions: [
          lineNumbers(),
          history(),
          completing(reference),
          comments,
          keymap.of([
            {
              key: 'Mod-s',
              preventDefault: true,
              run: () => {
                latest.current.save()
                return true
              },
            },
            indentWithTab,
            ...lineKeys,
            ...standardKeymap,
            ...historyKeymap,
          ]),
          problemMarks,
          colours,
          looks,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((one) => one.annotation(Transaction.remote)))
              latest.current.changed(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, isReadOnly])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === loaded.text) return
    const changes = { from: 0, to: editor.state.doc.length, insert: loaded.text }
    editor.dispatch({ changes, annotations: Transaction.remote.of(true) })
  }, [loaded])
  useEffect(
    () => view.current?.dispatch({ effects: setProblems.of(problems) }),
    [problems, label, isReadOnly],
  )
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || target === undefined) return
    const { doc } = editor.state
    const line = doc.line(Math.max(1, Math.min(doc.lines, target.line)))
    const at = Math.min(line.to, line.from + Math.max(0, target.column - 1))
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
    editor.focus()
  }, [target])
  return <div class="code-editor" ref={box} />
}
