/**
 * Texts that must not be printed: passwords and values of the keystore, as this thread comes to know them. The
 * last line of defence: options that are passwords hide themselves, but the same text may also come back in the
 * message of a library, a piece of a configuration, or generated code.
 */
import { inspect } from './ruby-inspect.ts'

export const hiddenMark = '<password>'

/** Shorter texts are everywhere by accident. */
const minLength = 4
/** Later ones are not hidden; nobody has as many secrets. */
const maxKnown = 2000

/** Longest first, once somebody asks: one secret may contain another. */
let hidden: string[] = []
let isSorted = true
const known = new Set<string>()

/** Also in the forms a text takes in log lines, JSON and URLs. */
export function hideText(text: string): void {
  if (text.length < minLength || known.has(text) || known.size >= maxKnown) return
  known.add(text)
  const forms = [text, JSON.stringify(text).slice(1, -1), inspect(text).slice(1, -1), urlForm(text)]
  hidden.push(...new Set(forms))
  isSorted = false
}

export function concealed(text: string): string {
  if (!isSorted) hidden.sort((a, b) => b.length - a.length)
  isSorted = true
  let result = text
  for (const secret of hidden)
    if (result.includes(secret)) result = result.replaceAll(secret, () => hiddenMark)
  return result
}

/** A copy of plain data in which no text shows a secret; names of members are left alone. */
export function concealedData<T>(value: T): T {
  if (hidden.length === 0) return value
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (typeof value === 'string') return concealed(value)
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
}

/** A text with half a character has no such form. */
function urlForm(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return text
  }
}

/** For tests: this thread knows no secrets. */
export function forgetHiddenTexts(): void {
  hidden = []
  known.clear()
}
