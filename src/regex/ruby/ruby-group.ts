/**
 * Everything that starts with `(`: plain and named groups, look-around, atomic groups, comments and
 * options. Options without a body are turned into a group that their enclosing group closes.
 */
import type { CharacterMode, Frame, RubyReader } from './ruby-reader.ts'

const optionGroup = /\(\?([a-z]*)(?:-([a-z]*))?([:)])/y
const namedGroup = /\(\?(?:<([^>]*)(>?)|'([^']*)('?))/y

export function readGroup(reader: RubyReader): void {
  if (reader.peek(1) !== '?') {
    reader.open('(', 1)
    return
  }
  const kind = reader.peek(2)
  switch (kind) {
    case undefined:
      reader.fail('end pattern in group')
      break
    case '#': {
      const end = reader.source.indexOf(')', reader.at)
      if (end === -1) reader.fail('end pattern in group')
      reader.at = end + 1
      break
    }
    case ':':
    case '>':
      reader.open(`(?${kind}`, 3)
      break
    case '=':
    case '!':
      reader.open(`(?:(?${kind}`, 3, '))')
      break
    case '~':
      reader.fail('absence operator is not supported')
      break
    case '(':
      reader.fail('conditional group is not supported')
      break
    case '<': {
      const look = reader.peek(3)
      if (look === '=' || look === '!') reader.open(`(?:(?<${look}`, 4, '))')
      else openNamed(reader)
      break
    }
    case "'":
      openNamed(reader)
      break
    default:
      readOptions(reader)
  }
}

function openNamed(reader: RubyReader): void {
  const [whole = '', angled, angleEnd, quoted, quoteEnd] = reader.match(namedGroup) ?? []
  const name = angled ?? quoted ?? ''
  const closed = Boolean(angleEnd || quoteEnd)
  if (reader.peek(3) === undefined) reader.fail('end pattern with unmatched parenthesis')
  if (name === '') reader.fail('group name is empty')
  if (!closed || /^[\d-]|\)/.test(name)) reader.fail(`invalid group name <${name}>`)
  reader.defined.add(name)
  reader.open(`(?<${reader.safeName(name)}>`, whole.length)
}

function readOptions(reader: RubyReader): void {
  const found = reader.match(optionGroup)
  const rest = reader.source.slice(reader.at)
  if (found === null && /^\(\?[a-z-]*$/.test(rest)) reader.fail('end pattern in group')
  const [whole = '', on = '?', off = '', end] = found ?? []
  if (!/^[imxadu]*$/.test(on) || !/^[imx]*$/.test(off)) reader.fail('undefined group option')
  const { frame } = reader
  const changes: Partial<Frame> = {
    extended: off.includes('x') ? false : on.includes('x') || frame.extended,
    mode: (/[adu]/.exec(on)?.[0] as CharacterMode | undefined) ?? frame.mode,
  }
  const text = `(?${on.replace(/[adu]/g, '')}${off === '' ? '' : `-${off}`}:`
  if (end === ':') reader.open(text, whole.length, ')', changes)
  else {
    reader.frame = { ...frame, ...changes, close: `)${frame.close}` }
    reader.write(text, whole.length)
    reader.repeatable = false
  }
}
