/**
 * Character classes: `[a-z&&[^b][:alpha:]\d]`. The parser knows their inside; here brackets are paired as
 * Ruby pairs them, escapes are settled, and the character modes are written out.
 */
import { readCharacterEscape } from './ruby-escape.ts'
import { hexText, posixOfLetter, type RubyReader } from './ruby-reader.ts'

const posixBracket = /\[:(\^?)([A-Za-z]+):\]/y

const asciiClasses = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x{0}-\\x{7f}'],
  ['blank', ' \\t'],
  ['cntrl', '\\x{0}-\\x{1f}\\x{7f}'],
  ['digit', '0-9'],
  ['graph', '\\x{21}-\\x{7e}'],
  ['lower', 'a-z'],
  ['print', '\\x{20}-\\x{7e}'],
  ['punct', '\\x{21}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{60}\\x{7b}-\\x{7e}'],
  ['space', '\\x{9}-\\x{d}\\x{20}'],
  ['upper', 'A-Z'],
  ['xdigit', '0-9A-Fa-f'],
  ['word', '0-9A-Za-z_'],
])

export function readClass(reader: RubyReader): void {
  const start = reader.at
  let depth = 0
  /** Right behind an opening bracket. */
  let fresh = false
  do {
    const char = reader.peek() ?? reader.fail('premature end of char-class', start)
    const posix = char === '[' && depth > 0 ? reader.match(posixBracket) : null
    if (posix !== null) {
      readPosix(reader, posix)
      fresh = false
    } else if (char === '[') {
      const negated = reader.peek(1) === '^'
      reader.write(negated ? '[^' : '[', negated ? 2 : 1)
      depth++
      fresh = true
    } else if (char === ']' && !(fresh && isClosedLater(reader))) {
      if (fresh) reader.fail('empty char-class', start)
      reader.write(']', 1)
      depth--
    } else {
      if (char === '\\') readClassEscape(reader)
      else reader.write(char === ']' ? '\\]' : char, 1)
      fresh = false
    }
  } while (depth > 0)
  reader.repeatable = true
}

/** A `]` right behind the opening bracket is a plain character when another one closes the class. */
function isClosedLater(reader: RubyReader): boolean {
  for (let i = reader.at + 1; i < reader.source.length; i++) {
    if (reader.source[i] === '\\') i++
    else if (reader.source[i] === ']') return true
  }
  return false
}

function readPosix(reader: RubyReader, [whole, caret, name = '']: RegExpExecArray): void {
  const ascii = asciiClasses.get(name) ?? reader.fail('invalid POSIX bracket type')
  reader.write(reader.frame.mode === 'a' ? `[${caret}${ascii}]` : whole, whole.length)
}

function readClassEscape(reader: RubyReader): void {
  const letter = reader.peek(1) ?? reader.fail('too short escape sequence')
  const character = readCharacterEscape(reader.source, reader.at, reader.fail)
  const posix = reader.frame.mode === 'u' ? posixOfLetter[letter.toLowerCase()] : undefined
  if (character !== null) reader.write(hexText(character.codes), character.end - reader.at)
  else if (posix !== undefined)
    reader.write(letter === letter.toLowerCase() ? `[:${posix}:]` : `[:^${posix}:]`, 2)
  else if (letter === 'p' || letter === 'P') readPropertyName(reader, letter)
  else if (/[RXNOyYokgKGAzZB]/.test(letter)) reader.write(letter, 2)
  else {
    const text = String.fromCodePoint(reader.source.codePointAt(reader.at + 1)!)
    reader.write(`\\${text}`, 1 + text.length)
  }
}

/** `\p{...}`; without a brace the letter is a plain one. */
export function readPropertyName(reader: RubyReader, letter: string): void {
  if (reader.peek(2) !== '{') {
    reader.write(letter, 2)
    return
  }
  const end = reader.source.indexOf('}', reader.at)
  if (end === -1) reader.fail('invalid character property name {}')
  reader.write(reader.source.slice(reader.at, end + 1), end + 1 - reader.at)
}
