/**
 * Writes a syntax tree as text: two blanks per level, one option per line, comments near where they were.
 * The layout depends on the tree alone, so printing what was printed changes nothing.
 * Comments go before the next thing printed: behind the line above if they stood behind something,
 * on a line of their own otherwise.
 */
import type {
  Attribute,
  BarewordNode,
  Comment,
  Config,
  HashEntry,
  NumberNode,
  PluginNode,
  Section,
  Statement,
  StringNode,
  ValueNode,
} from './ast.ts'
import { attributeHead, conditionText, entryHead, LIST_MARK, valueText } from './inline-text.ts'

/** An array or hash whose text is longer gets a line per item. */
const MAX_LIST_WIDTH = 80

export function print(config: Config): string {
  return new Printer(config.comments).config(config.sections)
}

class Printer {
  private readonly lines: string[] = []
  private readonly comments: Comment[]
  private next = 0
  private depth = 0
  /** The line that already carries a comment; nothing may follow one. */
  private commented = -1

  constructor(comments: Comment[]) {
    this.comments = comments.filter((comment) => comment.text !== LIST_MARK)
  }

  config(sections: Section[]): string {
    for (const section of sections) {
      this.paragraph(section.place.start)
      this.push(`${section.type} {`)
      this.body(section.body, section.place.end)
      this.push('}')
    }
    this.paragraph(Number.POSITIVE_INFINITY)
    while (this.lines.at(-1) === '') this.lines.pop()
    return this.lines.length === 0 ? '' : `${this.lines.join('\n')}\n`
  }

  /** A blank line, but comments that end the line above stay there. */
  private paragraph(before: number): void {
    this.trailingComments(before)
    if (this.lines.length > 0) this.lines.push('')
    this.commentsBefore(before)
  }

  /** The statements of a block that ends at `end`, one level deeper; its braces are the caller's. */
  private body(statements: Statement[], end: number): void {
    this.depth++
    for (const statement of statements) {
      this.commentsBefore(statement.place.start)
      if (statement.kind === 'plugin') this.value('', statement, '')
      else this.branch(statement)
    }
    this.commentsBefore(end)
    this.depth--
  }

  private branch(branch: Extract<Statement, { kind: 'branch' }>): void {
    let head = 'if'
    for (const { condition, body, place } of branch.cases) {
      this.push(`${head} ${conditionText(condition)} {`)
      this.body(body, place.end)
      head = '} else if'
    }
    if (branch.otherwise !== undefined) {
      this.push('} else {')
      this.body(branch.otherwise, branch.place.end)
    }
    this.push('}')
  }

  /** `before` and `after` share the first and the last line with the value. */
  private value(before: string, value: ValueNode, after: string): void {
    const bracketed = value.kind === 'plugin' || value.kind === 'hash' || value.kind === 'array'
    if (!bracketed || (this.fitsOneLine(value) && !this.commentWithin(value))) {
      this.push(`${before}${valueText(value)}${after}`)
      return
    }
    const [open, close] = value.kind === 'array' ? ['[', ']'] : ['{', '}']
    this.push(`${before}${value.kind === 'plugin' ? `${value.name} ` : ''}${open}`)
    this.depth++
    if (value.kind === 'array') this.items(value.items)
    else if (value.kind === 'hash') this.pairs(value.entries, entryHead)
    else this.pairs(value.attributes, attributeHead)
    this.commentsBefore(value.place.end)
    this.depth--
    this.push(`${close}${after}`)
  }

  private items(items: ValueNode[]): void {
    for (const [i, item] of items.entries()) {
      this.commentsBefore(item.place.start)
      this.value('', item, i < items.length - 1 ? ',' : '')
    }
  }

  private pairs<T extends Attribute | HashEntry>(pairs: T[], head: (pair: T) => string): void {
    for (const pair of pairs) {
      this.commentsBefore(pair.place.start)
      this.value(head(pair), pair.value, '')
    }
  }

  private fitsOneLine(value: ValueNode): boolean {
    if (value.kind === 'plugin') return value.attributes.length === 0
    if (value.kind === 'hash')
      return value.entries.length < 2 && value.entries.every(({ value }) => isShort(value))
    return value.kind === 'array' && value.items.every(isPlain) && isShort(value)
  }

  private commentWithin(value: ValueNode | PluginNode): boolean {
    const comment = this.comments[this.next]
    return comment !== undefined && comment.place.start < value.place.end
  }

  private commentsBefore(offset: number): void {
    this.trailingComments(offset)
    for (let comment = this.pending(offset); comment !== undefined; comment = this.pending(offset)) {
      this.push(comment.text)
      this.commented = this.lines.length - 1
      this.next++
    }
  }

  private trailingComments(offset: number): void {
    const comment = this.pending(offset)
    const last = this.lines.length - 1
    if (comment?.trailing !== true || last < 0 || this.lines[last] === '' || this.commented === last) return
    this.lines[last] += ` ${comment.text}`
    this.commented = last
    this.next++
  }

  private pending(offset: number): Comment | undefined {
    const comment = this.comments[this.next]
    return comment !== undefined && comment.place.start < offset ? comment : undefined
  }

  private push(text: string): void {
    this.lines.push('  '.repeat(this.depth) + text)
  }
}

function isPlain(value: ValueNode): value is StringNode | BarewordNode | NumberNode {
  return value.kind === 'string' || value.kind === 'bareword' || value.kind === 'number'
}

/** A scalar may be as long as it likes, and may hold line breaks: breaking around it gains nothing. */
function isShort(value: ValueNode): boolean {
  if (isPlain(value)) return true
  if (value.kind === 'hash') return value.entries.length === 0
  if (value.kind === 'plugin') return value.attributes.length === 0
  if (!value.items.every(isPlain)) return false
  const text = valueText(value)
  return text.length <= MAX_LIST_WIDTH && !text.includes('\n')
}
