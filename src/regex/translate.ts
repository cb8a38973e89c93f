/**
 * From a Ruby (Onigmo) pattern to plain JavaScript RegExp sources. The steps: `ruby-source` settles what
 * only Ruby writes, the Oniguruma parser builds a syntax tree, `build-tree` resolves it, `simplify` takes
 * out needless work, `emit` writes the forms. `notes` names the places where JavaScript can differ.
 */
import { type OnigurumaAst, parse } from 'oniguruma-parser/parser'
import { OnigUnicodePropertyMap } from 'oniguruma-parser/unicode'
import { needsCaseFlag } from './chars/case-flag.ts'
import { emit, type Numbering, numberGroups } from './emit.ts'
import { PatternError, type PatternFlags } from './pattern-error.ts'
import { readRubySource } from './ruby/ruby-source.ts'
import { buildTree } from './tree/build-tree.ts'
import { differences } from './tree/differences.ts'
import { type SearchStart, searchStart } from './tree/leading-loop.ts'
import { hasInvalidLookBehind } from './tree/look-behind.ts'
import { simplify } from './tree/simplify.ts'
import { beyondAscii, multipleLines, sensitivity } from './tree/traits.ts'
import type { Node } from './tree/tree.ts'

export interface Translation {
  /** The form that is right for every text. */
  source: string
  flags: string
  /** The user's groups; the emitted source has more where atomic groups were. */
  groupCount: number
  /** Numbers of the user's groups behind each name; a name may be given several times. */
  names: Map<string, number[]>
  /** `groups[2]`: the emitted groups that can hold the user's group 2. The last that took part counts. */
  groups: readonly (readonly number[])[]
  notes: string[]
  tree: Node
  /** Matches must start where the search starts (`\\G`). */
  sticky: boolean
  /** The text traits that make a difference to this pattern. */
  sensitivity: number
  /** Where a first match can start; see `leading-loop`. */
  start: SearchStart
  /** The source and flags for texts with these traits; `first` when only the first match is wanted. */
  form(traits: number, first?: boolean): { source: string; flags: string }
}

export function translate(pattern: string, flags: PatternFlags = {}): Translation {
  const refuse = (reason: string): never => {
    throw new PatternError(reason, pattern, flags)
  }
  try {
    const ruby = readRubySource(pattern, flags)
    const built = buildTree(parseSource(ruby.text, flags, refuse), refuse)
    if (hasInvalidLookBehind(built.root)) refuse('invalid pattern in look-behind')
    const tree = simplify(built.root)
    const numbering = numberGroups(tree, built.groupCount)
    const names = new Map<string, number[]>()
    for (const [safe, numbers] of built.names) names.set(ruby.names[Number(safe.slice(1))] ?? safe, numbers)
    return assemble(
      tree,
      numbering,
      built.groupCount,
      names,
      [...built.notes, ...differences(tree)],
      built.fromSearchStart,
    )
  } catch (error) {
    if (error instanceof RangeError) return refuse('too deep nest level over')
    throw error
  }
}

function assemble(
  tree: Node,
  numbering: Numbering,
  groupCount: number,
  names: Map<string, number[]>,
  notes: string[],
  sticky: boolean,
): Translation {
  const start = sticky ? 'anywhere' : searchStart(tree)
  const mask = sensitivity(tree) | (start === 'line' ? multipleLines : 0)
  const form = (traits: number, first = false): { source: string; flags: string } => {
    const relevant = traits & mask
    const ascii = (relevant & beyondAscii) === 0
    const singleLine = (relevant & multipleLines) === 0
    const caseFlag = needsCaseFlag(tree, ascii)
    const prefix = !first || start === 'anywhere' ? '' : start === 'text' || singleLine ? '^' : '(?<![^\\n])'
    return {
      source: prefix + emit(tree, { ascii, singleLine }, numbering, caseFlag),
      flags: `${caseFlag ? 'i' : ''}${ascii ? '' : 'u'}${sticky ? 'y' : ''}`,
    }
  }
  return {
    get source() {
      return form(mask).source
    },
    get flags() {
      return form(mask).flags
    },
    groupCount,
    names,
    groups: numbering.groups,
    notes,
    tree,
    sticky,
    sensitivity: mask,
    start,
    form,
  }
}

function parseSource(text: string, flags: PatternFlags, refuse: (reason: string) => never): OnigurumaAst {
  try {
    return parse(text, {
      flags: `${flags.ignoreCase ? 'i' : ''}${flags.multiline ? 'm' : ''}${flags.extended ? 'x' : ''}`,
      unicodePropertyMap: OnigUnicodePropertyMap,
      skipBackrefValidation: true,
      skipLookbehindValidation: true,
    })
  } catch (error) {
    if (error instanceof RangeError) throw error
    return refuse(rubyReason(error instanceof Error ? error.message : String(error), text))
  }
}

/** What `ruby-source` has not already refused, in Ruby's words. */
function rubyReason(message: string, text: string): string {
  const quoted = /"([\s\S]*)"/.exec(message)?.[1] ?? ''
  if (message.startsWith('Numbered backref/subroutine not allowed')) {
    return 'numbered backref/call is not allowed. (use name)'
  }
  if (/Invalid Unicode property|Incomplete or invalid Unicode property/.test(message)) {
    return `invalid character property name ${/\{.*\}/.exec(quoted)?.[0].replace('{^', '{') ?? '{}'}`
  }
  if (message.startsWith('Character class range out of order')) return 'empty range in char class'
  if (message.startsWith('Invalid character class range')) {
    const atEnd = /-(?:\\[dwshDWSH]|\[:)/.test(text)
    return atEnd ? 'char-class value at end of range' : 'unmatched range specifier in char-class'
  }
  if (message.startsWith('Subroutine uses a group number')) {
    return `undefined group <${/\\g<(\d+)>/.exec(text)?.[1] ?? ''}> reference`
  }
  if (/backref/i.test(message)) return 'invalid backref number/name'
  return message
}
