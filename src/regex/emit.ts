/**
 * Last step of the translation: writes the tree as JavaScript source. There are up to four forms of one
 * pattern. ASCII texts get a plain RegExp, other texts one with the `u` flag; texts of a single line get
 * `^` and `$` as such, which lets the engine give up at once when an anchored pattern does not match. All
 * forms have the same groups under the same numbers.
 */
import { caseVariants } from './chars/case-fold.ts'
import { range, union } from './chars/char-set.ts'
import { asciiClassText, unicodeClassText } from './chars/class-text.ts'
import { unicodeWord } from './chars/properties.ts'
import { type AnchorKind, children, isNullable, type Node, type RepeatNode } from './tree/tree.ts'

interface Form {
  /** The text has ASCII characters only. */
  ascii: boolean
  /** The text has no newline. */
  singleLine: boolean
}

/** Which capturing group of the emitted source belongs to which capture or atomic node. */
export interface Numbering {
  count: number
  numberOf: Map<Node, number>
  /** `groups[2]`: the emitted groups that hold the user's group 2, in the order of the source. */
  groups: number[][]
}

/** Atomic groups are `(?=(X))\1`: the group that remembers X takes a number of its own. */
export function numberGroups(root: Node, groupCount: number): Numbering {
  const numbering: Numbering = {
    count: 0,
    numberOf: new Map(),
    groups: Array.from({ length: groupCount + 1 }, () => []),
  }
  const walk = (node: Node, behind: boolean): void => {
    const captures = node.type === 'capture' || (node.type === 'atomic' && !behind)
    if (captures) numbering.numberOf.set(node, ++numbering.count)
    if (node.type === 'capture') numbering.groups[node.group]!.push(numbering.count)
    for (const child of children(node)) walk(child, behind || (node.type === 'look' && node.behind))
  }
  walk(root, false)
  return numbering
}

const word = unicodeClassText(unicodeWord, false, false)
const boundary = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
const notBoundary = `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`

/** An extended grapheme cluster, near enough: emoji sequences, flags, a letter with its marks. */
const emoji = '\\p{Emoji}(?:\\p{EMod}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?'
const grapheme = `(?:\\r\\n|\\p{RI}\\p{RI}|${emoji}(?:\\u200d${emoji})+|${emoji}\\p{M}*|\\P{M}\\p{M}*|\\p{M}+)`

export function emit(root: Node, form: Form, numbering: Numbering, caseFlag: boolean): string {
  const { ascii, singleLine } = form
  return text(root)

  function text(node: Node): string {
    switch (node.type) {
      case 'char':
        return character(node.code, node.fold)
      case 'set':
        return ascii ? asciiClassText(node.set, node.fold) : unicodeClassText(node.set, node.fold, caseFlag)
      case 'sequence':
        return node.items.map((item) => (item.type === 'choice' ? atom(item) : text(item))).join('')
      case 'choice':
        return options(node.options).join('|')
      case 'capture':
        return `(${text(node.body)})`
      case 'repeat':
        return repeat(node)
      case 'atomic': {
        const number = numbering.numberOf.get(node)
        return number === undefined ? `(?:${text(node.body)})` : `(?:(?=(${text(node.body)}))\\${number})`
      }
      case 'look':
        return `(?${node.behind ? '<' : ''}${node.negate ? '!' : '='}${text(node.body)})`
      case 'anchor':
        return anchor(node.kind)
      case 'backreference': {
        const numbers = node.groups.flatMap((group) => [...(numbering.groups[group] ?? [])].reverse())
        return `(?:${numbers.map((number) => `\\${number}`).join('|')})`
      }
      case 'newline':
        return `(?:\\r\\n|(?!\\r\\n)[\\n-\\r${ascii ? '' : '\\u0085\\u2028\\u2029'}])`
      case 'grapheme':
        return ascii ? '(?:\\r\\n|[^])' : grapheme
      case 'fail':
        return '[]'
    }
  }

  /** An option that cannot match an ASCII text (`ß` beside `ss`) is left out. */
  function options(nodes: Node[]): string[] {
    const texts = nodes.map(text)
    const possible = ascii ? texts.filter((option) => option !== '[]') : texts
    return possible.length === 0 ? ['[]'] : possible
  }

  function character(code: number, fold: boolean): string {
    if (ascii) {
      const variants = fold
        ? caseVariants(code).filter((variant) => variant < 0x80)
        : code < 0x80
          ? [code]
          : []
      if (variants.length === 0) return '[]'
      if (variants.length === 1 || caseFlag) return literalText(variants[0]!)
      return asciiClassText(union(variants.map((variant) => range(variant))), false)
    }
    const variants = fold && !caseFlag ? caseVariants(code) : [code]
    if (variants.length === 1) return literalText(code)
    return unicodeClassText(union(variants.map((variant) => range(variant))), false, false)
  }

  function repeat(node: RepeatNode): string {
    const { body, min, max, lazy } = node
    const mode = lazy ? '?' : ''
    // JavaScript does not accept an optional round that matched nothing, Ruby does.
    if (min === 0 && max > 0 && isNullable(body)) {
      const rounds = max === 1 ? text(body) : `${atom(body)}${quantifier(1, max)}${mode}`
      return lazy ? `(?:|${rounds})` : `(?:${rounds}|)`
    }
    return `${atom(body)}${quantifier(min, max)}${mode}`
  }

  function atom(node: Node): string {
    switch (node.type) {
      case 'char':
      case 'set':
      case 'capture':
      case 'atomic':
      case 'backreference':
      case 'newline':
      case 'grapheme':
        return text(node)
      case 'choice': {
        const texts = options(node.options)
        return texts.length === 1 && texts[0] === '[]' ? '[]' : `(?:${texts.join('|')})`
      }
      default:
        return `(?:${text(node)})`
    }
  }

  function anchor(kind: AnchorKind): string {
    switch (kind) {
      case 'textStart':
        return '^'
      case 'textEnd':
        return '$'
      case 'lineStart':
        // Behind the last newline of a text there is no further line.
        return singleLine ? '^' : '(?:^|(?<=\\n)(?!$))'
      case 'lineEnd':
        return singleLine ? '$' : '(?![^\\n])'
      case 'textEndOrNewline':
        return singleLine ? '$' : '(?=\\n?$)'
      case 'wordBoundary':
        return ascii ? '\\b' : boundary
      case 'notWordBoundary':
        return ascii ? '\\B' : notBoundary
    }
  }
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

function literalText(code: number): string {
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code >= 0x80) return `\\u{${code.toString(16)}}`
  const char = String.fromCharCode(code)
  return '^$\\.*+?()[]{}|/'.includes(char) ? `\\${char}` : char
}
