/**
 * What somebody is typing at a place of a Lucene query: the name of a field, or the value of one. Knows quotes and
 * brackets only as far as that needs.
 */
export interface Typing {
  readonly kind: 'field' | 'value'
  /** The field whose values are meant. */
  readonly field?: string
  /** What is there of it. */
  readonly start: string
  /** Where it begins in the query. */
  readonly from: number
}

const name = /(?:^|[\s(!+-])((?:[\w@.*<>[\]/#$%&-]|\\.)*)$/u
const value = /(?:^|[\s(!+-])((?:[\w@./-]|\\.)+):\(?((?:"[^"]*)|(?:(?:[^\s()":]|\\.)*))$/u

export function typingAt(query: string, caret: number): Typing | undefined {
  const before = query.slice(0, caret)
  const ofValue = value.exec(before)
  if (ofValue !== null) {
    const [, field = '', start = ''] = ofValue
    return {
      kind: 'value',
      field: field.replace(/\\(.)/g, '$1'),
      start: start.replace(/^"/, ''),
      from: caret - start.length,
    }
  }
  // An odd number of quotes: the caret stands inside of a phrase.
  if ((before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1) return undefined
  const ofName = name.exec(before)
  if (ofName === null) return undefined
  const start = ofName[1] ?? ''
  return { kind: 'field', start, from: caret - start.length }
}

interface Completed {
  readonly query: string
  readonly caret: number
}

export function complete(query: string, caret: number, { kind, from }: Typing, chosen: string): Completed {
  const text = kind === 'field' ? `${escapedName(chosen)}:` : `${quoted(chosen)} `
  const rest = query.slice(caret).replace(kind === 'value' ? /^[^\s()"]*"?\s?/ : /^[\w@.-]*:?/, '')
  return { query: query.slice(0, from) + text + rest, caret: from + text.length }
}

function escapedName(field: string): string {
  return field.replace(/[\s:()"\\+!{}[\]^~*?/-]/g, (char) => `\\${char}`)
}

/** Bare where that means the same. */
export function quoted(text: string): string {
  const isWord = /^[\p{L}\p{N}_.@]+$/u.test(text) && !/^(?:AND|OR|NOT|TO)$/.test(text)
  return isWord ? text : `"${text.replace(/["\\]/g, (char) => `\\${char}`)}"`
}
