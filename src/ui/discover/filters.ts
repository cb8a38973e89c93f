/**
 * Conditions beside the query: a field has a value, has it not, or is there at all. In an address they are
 * `service:pay,-host:a1,_exists_:user,~level:info`: a minus negates, a tilde is switched off, a backslash keeps the
 * next character from meaning anything.
 */
export interface Filter {
  readonly field: string
  /** Undefined: the field has any value. */
  readonly value: string | undefined
  readonly isNot: boolean
  readonly isOff: boolean
}

const exists = '_exists_'

export function writeFilters(filters: readonly Filter[]): string {
  return filters
    .map(({ field, value, isNot, isOff }) => {
      const body = value === undefined ? `${exists}:${escaped(field)}` : `${escaped(field)}:${escaped(value)}`
      return `${isOff ? '~' : ''}${isNot ? '-' : ''}${body}`
    })
    .join(',')
}

export function readFilters(text: string): Filter[] {
  return split(text, ',').flatMap((part) => {
    const isOff = part.startsWith('~')
    const rest = isOff ? part.slice(1) : part
    const isNot = rest.startsWith('-')
    const [name = '', ...values] = split(isNot ? rest.slice(1) : rest, ':')
    if (name === '' || values.length === 0) return []
    const value = plain(values.join(':'))
    return name === exists
      ? { field: value, value: undefined, isNot, isOff }
      : { field: plain(name), value, isNot, isOff }
  })
}

/** Adds one, in place of any that says something else about the same value. */
export function withFilter(filters: readonly Filter[], added: Filter): Filter[] {
  return [...filters.filter(({ field, value }) => field !== added.field || value !== added.value), added]
}

export function filterText({ field, value, isNot }: Filter): string {
  if (value === undefined) return isNot ? `${field} is missing` : `${field} exists`
  return `${field} ${isNot ? 'is not' : 'is'} ${value === '' ? '(empty)' : value}`
}

function escaped(text: string): string {
  return text.replace(/[\\,:~-]/g, (char) => `\\${char}`)
}

function plain(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}

/** At a separator that no backslash stands before. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    if (char === '\\' && index + 1 < text.length) part += char + text[++index]!
    else if (char === separator) {
      parts.push(part)
      part = ''
    } else part += char
  }
  return part === '' && parts.length === 0 ? [] : [...parts, part]
}
