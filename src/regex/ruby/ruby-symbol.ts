/**
 * Everything that starts with a backslash outside a class: anchors, classes of characters, references and
 * calls, single characters.
 */
import { readPropertyName } from './ruby-class.ts'
import { readCharacterEscape } from './ruby-escape.ts'
import { hexText, posixOfLetter, type RubyReader } from './ruby-reader.ts'

const reference = /\\([kg])(?:<([^>]*)(>?)|'([^']*)('?))/y

const word = '[0-9A-Za-z_]'
const asciiBoundary = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
const notAsciiBoundary = `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`

export function readSymbol(reader: RubyReader): void {
  const letter = reader.peek(1) ?? reader.fail('too short escape sequence')
  const character = readCharacterEscape(reader.source, reader.at, reader.fail)
  if (character !== null) {
    reader.atom(hexText(character.codes), character.end - reader.at)
    return
  }
  const { mode } = reader.frame
  switch (letter) {
    case 'A':
    case 'z':
    case 'Z':
    case 'G':
      reader.anchor(`\\${letter}`, 2)
      break
    case 'b':
      reader.anchor(mode === 'a' ? asciiBoundary : '\\b', 2)
      break
    case 'B':
      reader.anchor(mode === 'a' ? notAsciiBoundary : '\\B', 2)
      break
    case 'k':
    case 'g':
      readReference(reader, letter)
      break
    case 'K':
      reader.fail('keep operator \\K is not supported')
      break
    case 'p':
    case 'P':
      readPropertyName(reader, letter)
      reader.repeatable = true
      break
    case 'w':
    case 'd':
    case 's':
      reader.atom(mode === 'u' ? `[[:${posixOfLetter[letter]}:]]` : `\\${letter}`, 2)
      break
    case 'W':
    case 'D':
    case 'S':
      reader.atom(mode === 'u' ? `[^[:${posixOfLetter[letter.toLowerCase()]}:]]` : `\\${letter}`, 2)
      break
    case 'N':
    case 'O':
    case 'y':
    case 'Y':
    case 'o':
      reader.atom(letter, 2) // plain letters in Ruby, operators in the parser's dialect
      break
    default: {
      const text = String.fromCodePoint(reader.source.codePointAt(reader.at + 1)!)
      reader.atom(`\\${text}`, 1 + text.length)
    }
  }
}

function readReference(reader: RubyReader, letter: 'k' | 'g'): void {
  const found = reader.match(reference)
  if (found === null) {
    reader.atom(letter, 2)
    return
  }
  const name = found[2] ?? found[4] ?? ''
  if (name === '') reader.fail('group name is empty')
  if (!(found[3] || found[5])) reader.fail(`invalid group name <${name}>`)
  if (/^[+-]?\d+$/.test(name)) {
    reader.atom(`\\${letter}<${name}>`, found[0].length)
    return
  }
  if (letter === 'g') {
    if (!reader.called.has(name)) reader.called.set(name, reader.at)
  } else if (!reader.defined.has(name)) {
    const leveled = reader.defined.has(name.replace(/[+-]\d+$/, ''))
    reader.fail(
      leveled
        ? 'backreference with a recursion level is not supported'
        : `undefined name <${name}> reference`,
    )
  }
  reader.atom(`\\${letter}<${reader.safeName(name)}>`, found[0].length)
}
