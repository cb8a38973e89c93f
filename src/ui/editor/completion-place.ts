/**
 * What is being written where the caret stands in a configuration: a section, the name of a plugin, an option of it or
 * an option's value. Reads the text before the caret once; nothing is offered in conditions, texts, lists and hashes.
 */
export type PluginKind = 'input' | 'filter' | 'output' | 'codec'

export type CompletionPlace = { readonly word: string } & (
  | { readonly kind: 'section' }
  | { readonly kind: 'plugin'; readonly type: PluginKind; readonly afterBranch: boolean }
  | {
      readonly kind: 'option'
      readonly type: PluginKind
      readonly name: string
      readonly used: ReadonlySet<string>
    }
  | { readonly kind: 'value'; readonly type: PluginKind; readonly name: string; readonly option: string }
)

interface PluginFrame {
  readonly kind: 'plugin'
  readonly type: PluginKind
  readonly name: string
  readonly used: Set<string>
  expects: 'option' | 'arrow' | 'value'
  /** The option whose value is read, or was read last. */
  option: string
}

type Frame =
  | { readonly kind: 'section' | 'branch'; readonly type: PluginKind; afterBranch: boolean }
  | PluginFrame
  | { readonly kind: 'nested' }

const token =
  /#[^\n]*|"(?:[^"\\]|\\[\s\S])*("|$)|'(?:[^'\\]|\\[\s\S])*('|$)|(?<=[=!]~\s*)\/(?:[^/\\\n]|\\.)*(\/|$)|=>|[{}[\]()]|[^\s{}[\]()"'#=]+|=/g
const sections: readonly string[] = ['input', 'filter', 'output']
const wordAtEnd = /[\w-]*$/

/** Undefined where there is nothing to offer. */
export function placeAt(before: string): CompletionPlace | undefined {
  const word = wordAtEnd.exec(before)![0]
  const read = before.slice(0, before.length - word.length)
  const state = new Reading()
  for (const match of read.matchAll(token)) {
    const text = match[0]
    if (text.startsWith('#')) {
      if (match.index + text.length === read.length) return undefined
      continue
    }
    // A text that is not closed goes on to the caret.
    if (match[1] === '' || match[2] === '' || match[3] === '') return undefined
    state.take(text)
  }
  return state.place(word)
}

class Reading {
  readonly #frames: Frame[] = []
  #last = ''
  #isCondition = false

  take(text: string): void {
    const top = this.#frames.at(-1)
    if (this.#isCondition && text !== '{') return
    if (text === '{') this.#open(top)
    else if (text === '}') this.#close()
    else if (text === '[' || text === '(') this.#frames.push({ kind: 'nested' })
    else if (text === ']' || text === ')') this.#close()
    else if (top?.kind === 'plugin') this.#inPlugin(top, text)
    else if (top?.kind === 'section' || top?.kind === 'branch') {
      this.#isCondition = text === 'if' || text === 'else'
      top.afterBranch = false
    }
    this.#last = text
  }

  #inPlugin(frame: PluginFrame, text: string): void {
    if (text === '=>') frame.expects = 'value'
    else if (frame.expects === 'value') frame.expects = 'option'
    else {
      frame.option = text.replace(/^["']|["']$/g, '')
      frame.used.add(frame.option)
      frame.expects = 'arrow'
    }
  }

  #open(top: Frame | undefined): void {
    const plugin = (type: PluginKind): Frame => ({
      kind: 'plugin',
      type,
      name: this.#last,
      used: new Set(),
      expects: 'option',
      option: '',
    })
    if (top === undefined) {
      const type = sections.includes(this.#last) ? (this.#last as PluginKind) : undefined
      this.#frames.push(
        type === undefined ? { kind: 'nested' } : { kind: 'section', type, afterBranch: false },
      )
    } else if (top.kind === 'section' || top.kind === 'branch')
      this.#frames.push(
        this.#isCondition ? { kind: 'branch', type: top.type, afterBranch: false } : plugin(top.type),
      )
    else if (top.kind === 'plugin' && top.expects === 'option' && top.option === 'codec')
      this.#frames.push(plugin('codec'))
    else this.#frames.push({ kind: 'nested' })
    this.#isCondition = false
  }

  #close(): void {
    const closed = this.#frames.pop()
    const top = this.#frames.at(-1)
    if (top?.kind === 'plugin') top.expects = 'option'
    else if (top?.kind === 'section' || top?.kind === 'branch') top.afterBranch = closed?.kind === 'branch'
  }

  place(word: string): CompletionPlace | undefined {
    const top = this.#frames.at(-1)
    if (this.#isCondition) return undefined
    if (top === undefined) return { kind: 'section', word }
    if (top.kind === 'nested') return undefined
    if (top.kind !== 'plugin') return { kind: 'plugin', type: top.type, afterBranch: top.afterBranch, word }
    const { type, name, used, option, expects } = top
    if (expects === 'option') return { kind: 'option', type, name, used, word }
    return expects === 'value' ? { kind: 'value', type, name, option, word } : undefined
  }
}
