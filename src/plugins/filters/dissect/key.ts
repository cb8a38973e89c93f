/**
 * What stands between `%{` and `}` in a dissect pattern: the name of a field with a prefix that says what
 * becomes of the text (`+` append, `?` skip, `&` store under the value of another), and suffixes: `/2` for
 * the order of appending, `->` to swallow repeats of the delimiter behind it.
 */

type KeyKind = 'normal' | 'append' | 'skip' | 'indirect'

export interface DissectKey {
  readonly kind: KeyKind
  readonly name: string
  /** Place among the appends of the same pattern; those without one come in their own order. */
  readonly ordinal: number
  readonly swallowsRepeats: boolean
}

const kinds: Readonly<Record<string, KeyKind>> = { '+': 'append', '?': 'skip', '&': 'indirect' }
const suffix = /(?:\/(\d{1,9}))?(->)?(?:\/(\d{1,9}))?$/

export function parseKey(text: string, place: number): DissectKey {
  const [, before, arrow, behind] = suffix.exec(text)!
  const ordinal = before ?? behind
  const body = text.slice(0, suffix.exec(text)!.index)
  const swallowsRepeats = arrow !== undefined
  // `%{->}` stores under the empty name, `%{}` nowhere.
  if (body === '') return { kind: text === '' ? 'skip' : 'normal', name: '', ordinal: place, swallowsRepeats }
  if (/^(?:\+&|&\+)/.test(body)) {
    throw new Error(`Field cannot prefix with both Append and Indirect Prefix (mutually exclusive): ${text}`)
  }
  const prefix = body[0]!
  const kind = Object.hasOwn(kinds, prefix) ? kinds[prefix]! : 'normal'
  const name = kind === 'normal' ? body : body.slice(1)
  if (name === '') throw new Error(`Field cannot be a prefix without a name: ${text}`)
  return {
    kind,
    name,
    ordinal: ordinal === undefined ? place : Number(ordinal),
    swallowsRepeats,
  }
}
