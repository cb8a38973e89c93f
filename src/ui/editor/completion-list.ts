/**
 * The list of completions under the caret. It opens while a name is typed, or with Ctrl+Space; arrows choose, Enter and
 * Tab take, Escape closes. Stands inside the editor's element, so that its colours and its shadow root are its own too.
 */
import { type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { placeAt } from './completion-place.ts'
import { type Completion, completionsAt, inserted, type PluginReference } from './completions.ts'

const listId = 'completions'
const maxHeight = 260

export function completing(reference: PluginReference): Extension {
  const lists = ViewPlugin.define((view) => new CompletionList(view, reference), {
    eventHandlers: {
      blur() {
        this.close()
      },
    },
  })
  const key = (name: string, act: (list: CompletionList) => boolean) => ({
    key: name,
    run: (view: EditorView) => act(view.plugin(lists)!),
  })
  return [
    lists,
    listLooks,
    EditorView.contentAttributes.of({ 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' }),
    Prec.highest(
      keymap.of([
        key('Ctrl-Space', (list) => list.open()),
        key('ArrowDown', (list) => list.move(1)),
        key('ArrowUp', (list) => list.move(-1)),
        key('Enter', (list) => list.take()),
        key('Tab', (list) => list.take()),
        key('Escape', (list) => list.close()),
      ]),
    ),
  ]
}

class CompletionList {
  readonly #view: EditorView
  readonly #reference: PluginReference
  readonly #box = element('div', 'completions')
  readonly #list = element('ul', '')
  readonly #about = element('p', 'about')
  #shown: readonly Completion[] = []
  #chosen = 0
  #from = 0
  /** Counts questions: the answer to an older one is late. */
  #asked = 0

  constructor(view: EditorView, reference: PluginReference) {
    this.#view = view
    this.#reference = reference
    this.#list.id = listId
    this.#list.setAttribute('role', 'listbox')
    this.#list.tabIndex = 0
    this.#list.setAttribute('aria-label', 'Completions')
    this.#box.append(this.#list, this.#about)
    this.#box.hidden = true
    view.dom.append(this.#box)
  }

  update({ docChanged, selectionSet, transactions, state }: ViewUpdate): void {
    if (docChanged && transactions.some((one) => one.isUserEvent('input') || one.isUserEvent('delete'))) {
      if (state.readOnly) return
      void this.#ask(false)
    } else if (docChanged || selectionSet) this.close()
  }

  destroy(): void {
    this.#asked += 1
    this.#box.remove()
  }

  open(): boolean {
    void this.#ask(true)
    return true
  }

  /** True when there was something to close. */
  close(): boolean {
    this.#asked += 1
    if (this.#box.hidden) return false
    this.#box.hidden = true
    this.#view.contentDOM.removeAttribute('aria-controls')
    this.#view.contentDOM.removeAttribute('aria-activedescendant')
    return true
  }

  move(step: number): boolean {
    if (this.#box.hidden) return false
    const { length } = this.#shown
    this.#choose((this.#chosen + step + length) % length)
    return true
  }

  take(): boolean {
    const choice = this.#shown[this.#chosen]
    if (this.#box.hidden || choice === undefined) return false
    const { state } = this.#view
    const { head } = state.selection.main
    const line = state.doc.lineAt(this.#from)
    const indent = /^\s*/.exec(line.text)![0]
    const { text, caret } = inserted(choice, indent)
    // A name that was given its value before only changes its name.
    const rest = state.sliceDoc(head, line.to)
    const isNamed = / =>/.test(text) && /^\s*=>/.test(rest)
    const insert = isNamed ? choice.name : text
    this.close()
    this.#view.dispatch({
      changes: { from: this.#from, to: head, insert },
      selection: { anchor: this.#from + (isNamed ? insert.length : caret) },
      userEvent: 'complete',
      scrollIntoView: true,
    })
    // What follows the arrow may be a choice too.
    if (text.endsWith('=> ')) this.open()
    return true
  }

  async #ask(isWanted: boolean): Promise<void> {
    this.#asked += 1
    const question = this.#asked
    const { main } = this.#view.state.selection
    const place = main.empty ? placeAt(this.#view.state.sliceDoc(0, main.head)) : undefined
    if (place === undefined || (!isWanted && place.word === '' && place.kind !== 'value')) {
      this.close()
      return
    }
    const found = await completionsAt(place, this.#reference).catch(() => [])
    if (question !== this.#asked) return
    const isWritten = found.length === 1 && found[0]?.name === place.word && !isWanted
    if (found.length === 0 || isWritten) {
      this.close()
      return
    }
    this.#from = main.head - place.word.length
    this.#show(found)
  }

  #show(found: readonly Completion[]): void {
    this.#shown = found
    this.#list.replaceChildren(
      ...found.map(({ name, note }, number) => {
        const item = element('li', '')
        item.id = `${listId}-${number}`
        item.setAttribute('role', 'option')
        const title = element('span', 'name')
        title.textContent = name
        const aside = element('span', 'note')
        aside.textContent = note
        item.append(title, aside)
        // The editor keeps the focus.
        item.addEventListener('mousedown', (event) => {
          event.preventDefault()
          this.#chosen = number
          this.take()
        })
        return item
      }),
    )
    this.#box.hidden = false
    this.#view.contentDOM.setAttribute('aria-controls', listId)
    this.#choose(0)
    this.#place()
  }

  #choose(number: number): void {
    this.#list.children[this.#chosen]?.removeAttribute('aria-selected')
    this.#chosen = number
    const item = this.#list.children[number]
    item?.setAttribute('aria-selected', 'true')
    item?.scrollIntoView({ block: 'nearest' })
    this.#about.textContent = this.#shown[number]?.about ?? ''
    this.#about.hidden = this.#about.textContent === ''
    this.#view.contentDOM.setAttribute('aria-activedescendant', `${listId}-${number}`)
  }

  /** Below the word, or above it where there is more room. */
  #place(): void {
    const caret = this.#view.coordsAtPos(this.#from)
    if (caret === null) return
    const editor = this.#view.dom.getBoundingClientRect()
    const isAbove =
      editor.bottom - caret.bottom < maxHeight && caret.top - editor.top > editor.bottom - caret.bottom
    const left = Math.max(0, Math.min(caret.left - editor.left, editor.width - this.#box.offsetWidth - 8))
    this.#box.style.left = `${left}px`
    this.#box.style.top = isAbove ? 'auto' : `${caret.bottom - editor.top + 2}px`
    this.#box.style.bottom = isAbove ? `${editor.bottom - caret.top + 2}px` : 'auto'
    const room = isAbove ? caret.top - editor.top : editor.bottom - caret.bottom
    this.#box.style.maxHeight = `${Math.max(80, Math.min(maxHeight, room - 8))}px`
  }
}

function element(name: string, kind: string): HTMLElement {
  const made = document.createElement(name)
  made.className = kind
  return made
}

const listLooks = EditorView.theme({
  '.completions': {
    position: 'absolute',
    zIndex: '20',
    display: 'flex',
    flexDirection: 'column',
    width: 'min(420px, calc(100% - 8px))',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-2)',
    boxShadow: '0 4px 16px var(--shade)',
    fontSize: '13px',
  },
  '.completions[hidden], .about[hidden]': { display: 'none' },
  '.completions ul': { listStyle: 'none', margin: '0', padding: '4px', overflowY: 'auto', flex: '1 1 auto' },
  '.completions li': {
    display: 'flex',
    gap: '12px',
    justifyContent: 'space-between',
    padding: '3px 8px',
    borderRadius: 'var(--radius-1)',
    cursor: 'pointer',
  },
  '.completions li[aria-selected]': { backgroundColor: 'var(--selected)' },
  '.completions .name': {
    fontFamily: 'var(--mono)',
    color: 'var(--text)',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.completions .note': { color: 'var(--muted)', whiteSpace: 'nowrap', fontFamily: 'var(--sans)' },
  '.completions .about': {
    margin: '0',
    padding: '8px 12px',
    borderTop: '1px solid var(--line)',
    color: 'var(--muted)',
    fontFamily: 'var(--sans)',
    lineHeight: '18px',
    maxHeight: '76px',
    overflow: 'auto',
    flex: 'none',
  },
})
