/**
 * Plain words for the mistakes people make most. Each rule looks at the text around the failure and
 * either recognises its mistake or stays silent; the first that speaks wins, so the certain ones come first.
 */
import { closestWord } from './closest-word.ts'
import { conditionHint } from './condition-hints.ts'
import type { Diagnostic } from './diagnostic.ts'
import { type Bracket, type HintRule, surroundingsOf } from './surroundings.ts'
import type { SyntaxFailure } from './syntax-failure.ts'

/** The failure as a diagnostic, with a hint if we have one. */
export function diagnose(text: string, failure: SyntaxFailure): Diagnostic {
  const { message, line, column, offset } = failure
  const hint = hintFor(text, failure)
  const end = Math.min(text.length, offset + 1)
  return { severity: 'error', code: 'syntax', message, line, column, start: offset, end, hint }
}

export function hintFor(text: string, failure: SyntaxFailure): string | undefined {
  if (!failure.message.startsWith('Expected ')) return undefined
  const around = surroundingsOf(text, failure.offset)
  for (const rule of RULES) {
    const hint = rule(around, failure)
    if (hint !== undefined) return hint
  }
  return undefined
}

const byteOrderMark: HintRule = ({ offset, after }) =>
  offset === 0 && after.startsWith('\ufeff')
    ? 'the file begins with a byte order mark; save it as UTF-8 without one'
    : undefined

const openString: HintRule = ({ openString, index }) => {
  if (openString === undefined) return undefined
  const quote = index.text[openString]
  const where = `the ${quote === '/' ? 'pattern' : 'string'} that begins in line ${index.lineOf(openString)}, column ${index.columnOf(openString)}`
  const line = index.text.slice(openString).split('\n', 1)[0]!
  return line.includes(`\\${quote}`)
    ? `${where} is not closed: \\${quote} is always an escaped quote, a string cannot end in a backslash`
    : `${where} is not closed`
}

/** The string before the failure swallowed more than its author thought. */
const stringRanOn: HintRule = ({ lastString, offset, after, index }) => {
  if (lastString?.end !== offset || !/^[^\s,\]})#]/.test(after)) return undefined
  const line = index.lineOf(lastString.start)
  const text = index.text.slice(lastString.start, lastString.end - 1)
  const quote = text[0]!
  if (text.includes(`\\\\${quote}`)) {
    const column = index.columnOf(lastString.start)
    return `the string that begins in line ${line}, column ${column} ends here: \\${quote} is always an escaped quote, a string cannot end in a backslash`
  }
  if (line === index.lineOf(lastString.end)) return undefined
  return `the string that ends here began in line ${line}: a quote is missing there`
}

const foreignCharacters: HintRule = ({ after }) => {
  if (/^[“”„«»]/.test(after)) return 'this is a typographic quote; write a plain "'
  if (/^[‘’‚]/.test(after)) return "this is a typographic quote; write a plain '"
  if (/^[\u00a0\u2000-\u200f\u202f\u3000\ufeff]/.test(after)) {
    return 'this is not an ordinary blank (it may come from a web page); replace it'
  }
  return undefined
}

const foreignSyntax: HintRule = ({ after, before, open }) => {
  if (after.startsWith('${')) {
    const name = /^\$\{[^}\n]*\}?/.exec(after)![0]
    return `put the variable in quotes: "${name}"`
  }
  if (/^\/[/*]/.test(after) && !/[=!]~\s*$/.test(before)) return 'a comment begins with "#"'
  if (after.startsWith(';')) return 'there is no ";" in this language; remove it'
  if (open.at(-1)?.char === '{' && /(?:^|[\s}])(elsif|elif)\s*$/.test(before)) return 'write "else if"'
  return undefined
}

const comma: HintRule = ({ after, before, open }) => {
  const inside = open.at(-1)
  if (after.startsWith(',') && inside?.char === '{') {
    return inside.name === ''
      ? 'the entries of a hash are parted by blanks; remove the ","'
      : 'options are parted by blanks; remove the ","'
  }
  if (after.startsWith(']') && /,\s*$/.test(before)) return 'remove the "," before the "]"'
  return undefined
}

const missingComma: HintRule = ({ after, open }, { message }) =>
  open.at(-1)?.char === '[' && message.includes('","') && /^["'\w[{-]/.test(after)
    ? 'a "," is missing between two items of the list'
    : undefined

/** A section cannot stand inside another, so the one before it was not closed. */
const sectionInside: HintRule = ({ after, before, open, suspect, index, offset }) => {
  const nested = open.findIndex((bracket, depth) => depth > 0 && /^(input|filter|output)$/.test(bracket.name))
  const header = after.startsWith('{') ? /(?:^|[\s}])(input|filter|output)\s*$/.exec(before) : null
  if (nested === -1 && (header === null || open.length === 0)) return undefined
  const name = nested === -1 ? header![1]! : open[nested]!.name
  const line = nested === -1 ? index.lineOf(index.text.lastIndexOf(name, offset)) : open[nested]!.line
  const unclosed = suspect ?? (nested === -1 ? open.at(-1)! : open[nested - 1]!)
  return `"${name}" in line ${line} stands inside ${describe(unclosed)}: is a "}" missing before it?`
}

const endOfText: HintRule = ({ atEnd, open, suspect }) =>
  atEnd && open.length > 0 ? `${describe(suspect ?? open.at(-1)!)} is never closed` : undefined

const strayCloser: HintRule = ({ after, open }) => {
  const closer = /^[}\])]/.exec(after)?.[0]
  if (closer === undefined) return undefined
  const inside = open.at(-1)
  if (inside === undefined) return `this "${closer}" closes nothing: there is one too many`
  return closer === '}' && inside.char !== '{' ? `${describe(inside)} is not closed` : undefined
}

const missingArrow: HintRule = ({ after, before, open, suspect }, { message }) => {
  if (!message.includes('"=>"')) return undefined
  const name = /([\w.@-]+|"[^"\n]*"|'[^'\n]*')\s*$/.exec(before)?.[1]
  if (name === undefined) return undefined
  const wrong = /^(==|=|:=|:|->)/.exec(after)?.[1]
  if (wrong !== undefined) return `write "=>" instead of "${wrong}"`
  const inside = open.at(-1)
  if (name === 'if' && inside !== undefined)
    return `a condition cannot stand inside ${describe(inside)}: close it first`
  if (inside?.name === 'else')
    return `"else" in line ${inside.line} does not follow an "if" block: is a "}" missing before it?`
  if (inside?.name === 'if' && after.startsWith('{')) return `"if" in line ${inside.line} has no condition`
  if (/^[.@:/[-]/.test(after)) return `a name with "${after[0]}" in it needs quotes`
  if (after.startsWith('{') && inside !== undefined && inside.name !== '') {
    return suspect === undefined
      ? `write "=>" behind ${name}, or close ${describe(inside)} before it`
      : `${describe(suspect)} is not closed`
  }
  return /^["'\w[{-]/.test(after) ? `write "=>" between ${name} and its value` : undefined
}

const shortWord: HintRule = ({ after, before, open }, { message }) => {
  const inHash = open.at(-1)?.char === '{' && open.at(-1)?.name === ''
  if (inHash && message.startsWith('Expected [A-Za-z0-9_] ')) {
    const key = `${/[A-Za-z_]$/.exec(before)?.[0] ?? ''}${/^[^\s=>,{}]*/.exec(after)![0]}`
    return key.length === 1
      ? `a word without quotes needs two characters or more; write "${key}" in quotes`
      : `put the key in quotes: "${key}"`
  }
  const value = /=>\s*([A-Za-z_])\s*$/.exec(before)?.[1]
  return value && `a word without quotes needs two characters or more; write "${value}" in quotes`
}

const bareValue: HintRule = ({ after, before }) => {
  const head = /(?:=>|[[,])\s*([^\s"'{}[\],=>#]*)$/.exec(before)
  const tail = /^[^\s"'{}[\],#]*/.exec(after)![0]
  if (head === null || tail === '') return missingValue(before, after)
  const value = head[1]! + tail
  if (/^\.[0-9]+$/.test(value)) return `a number begins with a digit: 0${value}`
  if (/^\+[0-9.]+$/.test(value)) return `write the number without "+": ${value.slice(1)}`
  return `put the value in quotes: "${value}"`
}

function missingValue(before: string, after: string): string | undefined {
  const name = /([\w.@-]+|"[^"\n]*"|'[^'\n]*')\s*=>\s*$/.exec(before)?.[1]
  return name !== undefined && /^([}\])]|$)/.test(after) ? `the value of ${name} is missing` : undefined
}

const missingBlank: HintRule = ({ after, before, open }) => {
  if (open.at(-1)?.char !== '{' || !/^["'\w]/.test(after)) return undefined
  if (/[^\s#]#[^\n]*\n\s*$/.test(before)) return 'put a blank before the "#"'
  return /["'\]}]$/.test(before) ? 'a blank is missing between two options' : undefined
}

const topLevel: HintRule = ({ after, before, open }) => {
  const word = /^[\w-]+/.exec(after)?.[0]
  if (word === undefined || open.length > 0) return undefined
  const meant = closestWord(word, ['input', 'filter', 'output'])
  if (meant !== undefined) return `did you mean "${meant}"?`
  const early = before.includes('}') ? '; is there a "}" too many before it?' : ''
  return `only input, filter and output can stand here${early}`
}

const pluginHeader: HintRule = ({ after, before, open }, { message }) => {
  if (open.length === 0) return undefined
  if (after.startsWith('=>')) return 'a name is missing before "=>"'
  const name = /([\w-]+)\s*$/.exec(before)?.[1]
  if (name === undefined) return undefined
  if (message.startsWith('Expected one of [ \\t\\r\\n], "#", "{" at'))
    return `a "{" is missing behind "${name}"`
  return message.startsWith('Expected one of [A-Za-z0-9_-], [ \\t\\r\\n], "#", "{" at')
    ? 'the name of a plugin has only letters, digits, "_" and "-"'
    : undefined
}

/** `the "{" of "mutate" in line 3` */
function describe({ char, name, line }: Bracket): string {
  return `the "${char}"${name === '' ? '' : ` of "${name}"`} in line ${line}`
}

const RULES: readonly HintRule[] = [
  byteOrderMark,
  openString,
  stringRanOn,
  foreignCharacters,
  foreignSyntax,
  comma,
  conditionHint,
  sectionInside,
  missingComma,
  missingArrow,
  shortWord,
  endOfText,
  missingBlank,
  bareValue,
  strayCloser,
  pluginHeader,
  topLevel,
]
