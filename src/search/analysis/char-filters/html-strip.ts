/**
 * The html_strip character filter: removes markup, comments and the contents of scripts and styles; tags of block
 * elements become line breaks, character references are decoded. Text that only looks like a tag stays.
 */
import type { CharFilter } from '../component.ts'
import { htmlEntities } from './html-entities.ts'

const blocks = new Set(
  (
    'address article aside blockquote body br caption center dd dir div dl dt fieldset figure footer form frameset h1 h2 ' +
    'h3 h4 h5 h6 head header hr html isindex li link main menu meta nav noframes noscript ol option p param pre script ' +
    'section select style table tbody td tfoot th thead title tr ul'
  ).split(' '),
)

const maxTagLength = 10_000
const tag = /^<(\/?)([A-Za-z][\w:.-]*)(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>/
const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,8}))(;?)/y

interface Piece {
  /** Where the markup ends. */
  end: number
  replacement: string
}

function referenceAt(text: string, index: number): Piece | undefined {
  reference.lastIndex = index
  const match = reference.exec(text)
  if (match === null) return undefined
  const [whole, decimal, hexadecimal, name = '', semicolon] = match
  if (decimal === undefined && hexadecimal === undefined) {
    const character = semicolon === ';' ? htmlEntities.get(name) : undefined
    return character === undefined
      ? undefined
      : { end: index + whole.length, replacement: blankFor(character) }
  }
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined
  return { end: index + whole.length, replacement: blankFor(String.fromCodePoint(code)) }
}

/** A non-breaking space becomes a space. */
function blankFor(character: string): string {
  return character === '\u00a0' ? ' ' : character
}

/** Returns the end of `mark`, or of the text when it is absent. */
function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

function tagAt(text: string, index: number, kept: ReadonlySet<string>): Piece | undefined {
  if (text.startsWith('<!--', index)) return { end: endAfter(text, '-->', index + 4), replacement: '' }
  if (text.startsWith('<![CDATA[', index)) {
    const end = endAfter(text, ']]>', index + 9)
    return { end, replacement: text.slice(index + 9, text.startsWith(']]>', end - 3) ? end - 3 : end) }
  }
  const next = text[index + 1]
  if (next === '!' || next === '?') return { end: endAfter(text, '>', index + 2), replacement: '' }
  const match = tag.exec(text.slice(index, index + maxTagLength))
  if (match === null) return undefined
  const name = match[2]!.toLowerCase()
  if (kept.has(name)) return undefined
  let end = index + match[0].length
  if (match[1] === '' && (name === 'script' || name === 'style') && !match[0].endsWith('/>')) {
    const closing = new RegExp(`</${name}\\s*>`, 'gi')
    closing.lastIndex = end
    end = closing.exec(text) === null ? text.length : closing.lastIndex
  }
  return { end, replacement: blocks.has(name) ? '\n' : '' }
}

export function htmlStrip(escapedTags: readonly string[]): CharFilter {
  const kept = new Set(escapedTags.map((name) => name.toLowerCase()))
  return {
    apply(text, offsets) {
      let result = ''
      let copied = 0
      for (let index = 0; index < text.length; ) {
        const code = text.charCodeAt(index)
        const piece =
          code === 60 ? tagAt(text, index, kept) : code === 38 ? referenceAt(text, index) : undefined
        if (piece === undefined) {
          index++
          continue
        }
        result += text.slice(copied, index)
        offsets.replaced(result.length, piece.end - index, piece.replacement.length)
        result += piece.replacement
        index = copied = piece.end
      }
      return copied === 0 ? text : result + text.slice(copied)
    },
  }
}
