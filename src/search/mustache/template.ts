/**
 * Parses Mustache templates as search templates use them: values, sections, inverted sections, comments,
 * custom delimiters, and the functions `toJson`, `join` and `url`.
 */
import { writeJson } from '../answer/json-text.ts'
import { SearchError } from '../request/search-error.ts'

interface Text {
  readonly kind: 'text'
  readonly text: string
}

interface Value {
  readonly kind: 'value'
  readonly path: string
  /** `{{{name}}}` or `{{&name}}`. */
  readonly isRaw: boolean
}

interface ToJson {
  readonly kind: 'toJson'
  readonly path: string
}

interface Join {
  readonly kind: 'join'
  readonly path: string
  readonly delimiter: string
}

interface Section {
  readonly kind: 'section' | 'inverted'
  readonly path: string
  readonly inner: readonly TemplateNode[]
}

interface Url {
  readonly kind: 'url'
  readonly inner: readonly TemplateNode[]
}

export type TemplateLeaf = Text | Value | ToJson | Join
export type TemplateNode = TemplateLeaf | Section | Url

const maxDepth = 256

interface Tag {
  /** `#`, `^`, `/`, `!`, `>`, `=`, `&`, `{`, or empty for a value. */
  readonly sign: string
  readonly content: string
}

/** A section that is not closed yet. */
interface Open {
  readonly name: string
  readonly isInverted: boolean
  readonly inner: TemplateNode[]
}

/** A template may also be an object, whose JSON is the template text. */
export function templateText(source: unknown): string {
  return typeof source === 'string' ? source : writeJson(source)
}

export function parseTemplate(source: string): readonly TemplateNode[] {
  return new TemplateParser(source).parse()
}

function templateError(reason: string, source: string): SearchError {
  return new SearchError('script_exception', reason, {
    details: { script_stack: [], script: source, lang: 'mustache' },
    cause: new SearchError('mustache_exception', reason),
  })
}

class TemplateParser {
  readonly #source: string
  readonly #root: TemplateNode[] = []
  readonly #open: Open[] = []
  #start = '{{'
  #end = '}}'
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): readonly TemplateNode[] {
    for (;;) {
      const found = this.#source.indexOf(this.#start, this.#at)
      this.#text(found === -1 ? this.#source.length : found)
      if (found === -1) break
      this.#take(this.#tag())
    }
    const left = this.#open.at(-1)
    if (left !== undefined) throw this.#wrong(`Failed to close '${left.name}' tag`)
    return this.#root
  }

  get #inner(): TemplateNode[] {
    return this.#open.at(-1)?.inner ?? this.#root
  }

  #wrong(what: string): SearchError {
    return templateError(`${what} @[query-template:${this.#line}]`, this.#source)
  }

  get #line(): number {
    return this.#source.slice(0, this.#at).split('\n').length
  }

  #text(end: number): void {
    if (end > this.#at) this.#inner.push({ kind: 'text', text: this.#source.slice(this.#at, end) })
    this.#at = end
  }

  #tag(): Tag {
    const begin = this.#at + this.#start.length
    const sign = /[#^/!>=&{]/.exec(this.#source[begin] ?? '')?.[0] ?? ''
    const closing = sign === '{' ? `}${this.#end}` : sign === '=' ? `=${this.#end}` : this.#end
    const end = this.#source.indexOf(closing, begin + sign.length)
    // The names of sections reach to the end.
    if (end === -1 && /[#^/]/.test(sign)) {
      const content = this.#source.slice(begin + sign.length).trim()
      this.#at = this.#source.length
      return { sign, content }
    }
    if (end === -1) throw this.#wrong('Improperly closed variable')
    const content = this.#source.slice(begin + sign.length, end).trim()
    this.#at = end + closing.length
    return { sign, content }
  }

  #take({ sign, content }: Tag): void {
    switch (sign) {
      case '!':
        return
      case '=': {
        const [start = '', end = ''] = content.split(/\s+/)
        if (start === '' || end === '') throw this.#wrong(`Invalid delimiter string: ${content}`)
        this.#start = start
        this.#end = end
        return
      }
      case '>':
        throw this.#wrong(`Template '${content}' not found`)
      case '#':
      case '^':
        if (this.#open.length === maxDepth) throw this.#wrong('Sections are nested too deeply')
        this.#open.push({ name: content, isInverted: sign === '^', inner: [] })
        return
      case '/':
        this.#close(content)
        return
      default:
        if (content === '') throw this.#wrong('Empty mustache')
        this.#inner.push({ kind: 'value', path: content, isRaw: sign !== '' })
    }
  }

  #close(name: string): void {
    const open = this.#open.pop()
    if (open === undefined || open.name !== name)
      throw this.#wrong(
        `Mismatched start/end tags: ${open?.name ?? 'null'} != ${name} in query-template:${this.#line}`,
      )
    this.#inner.push(this.#closed(open))
  }

  #closed({ name, isInverted, inner }: Open): TemplateNode {
    if (isInverted) return { kind: 'inverted', path: name, inner }
    if (name === 'toJson') return { kind: 'toJson', path: this.#onlyName(name, inner) }
    if (name === 'url') return { kind: 'url', inner }
    const join = /^join(?:\s+delimiter='(.*)')?$/.exec(name)
    if (join !== null) return { kind: 'join', path: this.#onlyName('join', inner), delimiter: join[1] ?? ',' }
    return { kind: 'section', path: name, inner }
  }

  /** The text inside a function, which is the name of a parameter. */
  #onlyName(name: string, [first, ...others]: readonly TemplateNode[]): string {
    if (first?.kind !== 'text' || others.length > 0)
      throw this.#wrong(`Mustache function [${name}] must contain one and only one identifier`)
    return first.text.trim()
  }
}
