/**
 * Field references as plugin options and %{templates} write them: `name`, `[a][b]`, `[[a][b]][c]`.
 * Parsed once per text and cached; the rest of the program only sees the path.
 */

export interface FieldReference {
  readonly text: string
  /** True when the reference addresses `@metadata`; `path` is then relative to it and may be empty. */
  readonly metadata: boolean
  readonly path: readonly string[]
}

export class InvalidFieldReference extends Error {
  constructor(text: string) {
    super(`Invalid FieldReference: \`${text}\``)
    this.name = 'InvalidFieldReference'
  }
}

type EscapeStyle = 'none' | 'percent' | 'ampersand'

const cacheLimit = 10_000
const cache = new Map<string, FieldReference>()
let escapeStyle: EscapeStyle = 'none'

/** `config.field_reference.escape_style`; applies to references parsed from now on. */
export function useEscapeStyle(style: EscapeStyle): void {
  if (style !== escapeStyle) cache.clear()
  escapeStyle = style
}

export function parseFieldReference(text: string): FieldReference {
  const known = cache.get(text)
  if (known !== undefined) return known
  const reference = fromPath(text, fragments(text))
  if (cache.size < cacheLimit) cache.set(text, reference)
  return reference
}

/** A reference from fragments that are already separate, as conditions give them. */
export function fromPath(text: string, fragments: readonly string[]): FieldReference {
  const path = fragments.map(unescapeFragment)
  return path[0] === '@metadata'
    ? { text, metadata: true, path: path.slice(1) }
    : { text, metadata: false, path }
}

function fragments(text: string): string[] {
  if (!text.includes('[') && !text.includes(']')) return [text]
  const found: string[] = []
  let depth = 0
  let name = ''
  // What the innermost open bracket holds so far: nothing, text, or nested references.
  const holds: ('nothing' | 'text' | 'references')[] = []
  for (const char of text) {
    if (char === '[') {
      if (holds[depth - 1] === 'text') throw new InvalidFieldReference(text)
      if (depth > 0) holds[depth - 1] = 'references'
      holds[depth] = 'nothing'
      depth += 1
      if (depth > 64) throw new InvalidFieldReference(text)
    } else if (char === ']') {
      if (depth === 0 || holds[depth - 1] === 'nothing') throw new InvalidFieldReference(text)
      depth -= 1
      if (holds[depth] === 'text') found.push(name)
      name = ''
    } else {
      if (depth === 0 || holds[depth - 1] === 'references') throw new InvalidFieldReference(text)
      holds[depth - 1] = 'text'
      name += char
    }
  }
  if (depth !== 0) throw new InvalidFieldReference(text)
  return found
}

function unescapeFragment(fragment: string): string {
  if (escapeStyle === 'percent') {
    return fragment.replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  if (escapeStyle === 'ampersand') {
    return fragment.replace(/&#([0-9]{1,7});/g, (whole, code: string) =>
      Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : whole,
    )
  }
  return fragment
}
