/**
 * Second step of the translation: from the parser's syntax tree to our own tree. Options are resolved on
 * the way, named sets looked up, and calls (`\g<name>`) replaced by a copy of the group they call. A group
 * that calls itself is copied to a fixed depth, beyond which it cannot match.
 */
import type {
  AlternativeNode,
  CapturingGroupNode,
  CharacterClassElementNode,
  CharacterSetNode,
  OnigurumaAst,
  Node as SyntaxNode,
} from 'oniguruma-parser/parser'
import { lettersOfLigature, ligatures } from '../chars/case-fold.ts'
import { type CharSet, intersection, range, union } from '../chars/char-set.ts'
import {
  digits,
  hexDigits,
  newline,
  posixClass,
  unicodeProperty,
  whiteSpace,
  wordCharacters,
} from '../chars/properties.ts'
import { type AnchorKind, alwaysFails, choice, empty, fail, type Node, sequence } from './tree.ts'

interface Built {
  root: Node
  groupCount: number
  /** Numbers of the groups behind each of the parser's group names. */
  names: Map<string, number[]>
  notes: string[]
  /** The pattern starts with `\G`. */
  fromSearchStart: boolean
}

interface Options {
  ignoreCase: boolean
  dotAll: boolean
}

interface Definition {
  node: CapturingGroupNode
  options: Options
}

const recursionDepth = 8
const maxTreeSize = 50_000

const anchors: Readonly<Record<string, AnchorKind>> = {
  line_start: 'lineStart',
  line_end: 'lineEnd',
  string_start: 'textStart',
  string_end: 'textEnd',
  string_end_newline: 'textEndOrNewline',
}

export function buildTree(ast: OnigurumaAst, refuse: (reason: string) => never): Built {
  const definitions = new Map<number, Definition>()
  const names = new Map<string, number[]>()
  const notes = new Set<string>()
  const calls: number[] = []
  let size = 0
  let endless = false
  let fromSearchStart = false
  const topOptions: Options = { ignoreCase: ast.flags.ignoreCase, dotAll: ast.flags.dotAll }

  collect(ast, topOptions)
  const root = alternatives(ast.body, topOptions)
  if (endless) refuse('never ending recursion')
  return { root, groupCount: definitions.size, names, notes: [...notes], fromSearchStart }

  function collect(node: SyntaxNode, options: Options): void {
    if (node.type === 'CapturingGroup') {
      definitions.set(node.number, { node, options })
      if (node.name !== undefined) {
        const numbers = names.get(node.name)
        if (numbers === undefined) names.set(node.name, [node.number])
        else numbers.push(node.number)
      }
    }
    const inner = node.type === 'Group' ? withFlags(node.flags, options) : options
    if (node.type === 'Quantifier') collect(node.body, inner)
    else if ('body' in node && Array.isArray(node.body)) {
      for (const child of node.body) collect(child, inner)
    }
  }

  function alternatives(body: AlternativeNode[], options: Options): Node {
    return choice(body.map((alternative) => elements(alternative.body, options)))
  }

  function elements(body: SyntaxNode[], options: Options): Node {
    const items: Node[] = []
    for (let i = 0; i < body.length; i++) {
      const ligature = options.ignoreCase ? ligatureAt(body, i) : undefined
      if (ligature === undefined) {
        items.push(element(body[i]!, options))
        continue
      }
      const letters = [...ligature.letters].map((letter) => char(letter.charCodeAt(0), true))
      items.push(choice([sequence(letters), ...ligature.singles.map((code) => char(code, true))]))
      i += letters.length - 1
    }
    return sequence(items)
  }

  function element(node: SyntaxNode, options: Options): Node {
    if (++size > maxTreeSize) return refuse('too big pattern')
    switch (node.type) {
      case 'Character': {
        const letters = options.ignoreCase ? lettersOfLigature(node.value) : undefined
        const single = char(node.value, options.ignoreCase)
        if (letters === undefined) return single
        return choice([single, sequence([...letters].map((letter) => char(letter.charCodeAt(0), true)))])
      }
      case 'CharacterSet':
        if (node.kind === 'newline') return { type: 'newline' }
        if (node.kind === 'text_segment') {
          notes.add('\\X follows the Unicode version of this Node.js')
          return { type: 'atomic', body: { type: 'grapheme' } }
        }
        return { type: 'set', set: characterSet(node, options), fold: options.ignoreCase }
      case 'CharacterClass':
        return { type: 'set', set: classSet(node, options), fold: options.ignoreCase }
      case 'Assertion':
        return assertion(node.kind, node.negate === true)
      case 'LookaroundAssertion': {
        const body = alternatives(node.body, options)
        return { type: 'look', behind: node.kind === 'lookbehind', negate: node.negate, body }
      }
      case 'Group': {
        const body = alternatives(node.body, withFlags(node.flags, options))
        return node.atomic ? { type: 'atomic', body } : body
      }
      case 'CapturingGroup':
        return capture(node, options)
      case 'Quantifier':
        return repeat(node.kind, node.min, node.max, element(node.body, options))
      case 'Backreference':
        return backreference(node.ref, options)
      case 'Subroutine':
        return call(node.ref)
      default:
        return refuse(`${node.type} is not supported`)
    }
  }

  function assertion(kind: string, negate: boolean): Node {
    if (kind === 'word_boundary') return { type: 'anchor', kind: negate ? 'notWordBoundary' : 'wordBoundary' }
    if (kind === 'search_start') {
      if (!startsWithSearchStart(ast)) return refuse('\\G is supported at the start of a pattern only')
      fromSearchStart = true
      return empty
    }
    const anchor = anchors[kind]
    return anchor === undefined ? refuse(`${kind} is not supported`) : { type: 'anchor', kind: anchor }
  }

  function capture(node: CapturingGroupNode, options: Options): Node {
    calls.push(node.number)
    const body = alternatives(node.body, options)
    calls.pop()
    return { type: 'capture', group: node.number, body }
  }

  function repeat(kind: string, min: number, max: number, body: Node): Node {
    const loop: Node = { type: 'repeat', min, max, lazy: kind === 'lazy', body }
    return kind === 'possessive' ? { type: 'atomic', body: loop } : loop
  }

  function backreference(ref: string | number, options: Options): Node {
    const groups = typeof ref === 'number' ? [ref] : [...(names.get(ref) ?? [])].reverse()
    if (groups.length === 0 || groups.some((group) => !definitions.has(group))) {
      return refuse('invalid backref number/name')
    }
    return { type: 'backreference', groups, fold: options.ignoreCase }
  }

  function call(ref: string | number): Node {
    if (ref === 0) {
      if (calls.filter((number) => number === 0).length >= recursionDepth) return fail
      notes.add(`recursion is followed ${recursionDepth} levels deep`)
      calls.push(0)
      const body = alternatives(ast.body, topOptions)
      calls.pop()
      return body
    }
    const number = typeof ref === 'number' ? ref : names.get(ref)?.at(-1)
    const definition = number === undefined ? undefined : definitions.get(number)
    if (definition === undefined || number === undefined) return refuse(`undefined group <${ref}> reference`)
    const depth = calls.filter((open) => open === number).length
    if (depth >= recursionDepth) return fail
    if (depth > 0) notes.add(`recursion is followed ${recursionDepth} levels deep`)
    const body = capture(definition.node, definition.options)
    // At the depth limit a call fails; a group that fails with it at every level can never end.
    if (alwaysFails(body)) endless = true
    return body
  }

  function classSet(node: CharacterClassElementNode, options: Options): CharSet {
    switch (node.type) {
      case 'Character':
        return range(node.value)
      case 'CharacterClassRange':
        return range(node.min.value, node.max.value)
      case 'CharacterSet':
        return characterSet(node, options)
      case 'CharacterClass': {
        const items = node.body.map((item) => classSet(item, options))
        return node.kind === 'intersection' ? intersection(items, node.negate) : union(items, node.negate)
      }
    }
  }

  function characterSet(node: CharacterSetNode, options: Options): CharSet {
    const set = namedSet(node, options)
    return node.negate ? union([set], true) : set
  }

  function namedSet(node: CharacterSetNode, options: Options): CharSet {
    switch (node.kind) {
      case 'dot':
        return options.dotAll ? union([], true) : union([newline], true)
      case 'any':
        return union([], true)
      case 'digit':
        return digits
      case 'hex':
        return hexDigits
      case 'space':
        return whiteSpace
      case 'word':
        return wordCharacters
      case 'posix':
        return posixClass(node.value) ?? refuse('invalid POSIX bracket type')
      case 'property':
        return unicodeProperty(node.value) ?? refuse(`invalid character property name {${node.value}}`)
      default:
        return refuse(`${node.kind} is not supported here`)
    }
  }
}

function withFlags(flags: { enable?: object; disable?: object } | undefined, options: Options): Options {
  if (flags === undefined) return options
  const on: { ignoreCase?: boolean; dotAll?: boolean } = flags.enable ?? {}
  const off: { ignoreCase?: boolean; dotAll?: boolean } = flags.disable ?? {}
  return {
    ignoreCase: off.ignoreCase ? false : on.ignoreCase === true || options.ignoreCase,
    dotAll: off.dotAll ? false : on.dotAll === true || options.dotAll,
  }
}

function char(code: number, fold: boolean): Node {
  return { type: 'char', code, fold }
}

/** Neighbouring plain letters that also match as one character (`ss` and `ß`). */
function ligatureAt(body: SyntaxNode[], at: number): (typeof ligatures)[number] | undefined {
  return ligatures.find(({ letters }) =>
    [...letters].every((letter, offset) => {
      const node = body[at + offset]
      return node?.type === 'Character' && String.fromCodePoint(node.value).toLowerCase() === letter
    }),
  )
}

function startsWithSearchStart(ast: OnigurumaAst): boolean {
  return ast.body.every(({ body: [first] }) => first?.type === 'Assertion' && first.kind === 'search_start')
}
