/**
 * `String#succ`: the rightmost letter or digit is increased, with a carry to the left ("az" to "ba", "Zz9" to
 * "AAa0"); a text without any increases its last character.
 */

const isDigit = (char: string): boolean => char >= '0' && char <= '9'
const isLower = (char: string): boolean => char >= 'a' && char <= 'z'
const isUpper = (char: string): boolean => char >= 'A' && char <= 'Z'
const isAlnum = (char: string): boolean => isDigit(char) || isLower(char) || isUpper(char)

export function successor(text: string): string {
  if (text === '') return ''
  const chars = Array.from(text)
  let at = chars.length - 1
  while (at >= 0 && !isAlnum(chars[at]!)) at--
  if (at < 0) {
    const last = chars[chars.length - 1]!.codePointAt(0)!
    chars[chars.length - 1] = String.fromCodePoint(last + 1)
    return chars.join('')
  }
  let leftmost = at
  for (;;) {
    const char = chars[at]!
    leftmost = at
    if (char !== '9' && char !== 'z' && char !== 'Z') {
      chars[at] = String.fromCodePoint(char.codePointAt(0)! + 1)
      return chars.join('')
    }
    chars[at] = char === '9' ? '0' : char === 'z' ? 'a' : 'A'
    let next = at - 1
    while (next >= 0 && !isAlnum(chars[next]!)) next--
    // A carry crosses other characters only to reach a letter or digit that belongs to the same number or word.
    if (next < 0 || (next < at - 1 && !(isDigit(chars[next]!) || !isDigit(char)))) break
    at = next
  }
  const carried = chars[leftmost]!
  chars.splice(leftmost, 0, carried === '0' ? '1' : carried)
  return chars.join('')
}
