/**
 * `String#split` of Ruby, which differs from JavaScript's: an empty text has no parts, one blank means
 * "runs of white space", and empty parts at the end vanish unless they are asked for.
 */

type Split = (text: string) => string[]

const blanks = /[\t-\r ]+/
const leadingBlanks = /^[\t-\r ]+/

/** `trailing: 'keep'` is Ruby's limit -1. */
export function compileSplit(separator: string, trailing: 'keep' | 'drop'): Split {
  const parts = partsOf(separator, trailing === 'keep')
  if (trailing === 'keep') return (text) => (text === '' ? [] : parts(text))
  return (text) => {
    if (text === '') return []
    const found = parts(text)
    let count = found.length
    while (count > 0 && found[count - 1] === '') count -= 1
    found.length = count
    return found
  }
}

function partsOf(separator: string, keepTrailing: boolean): Split {
  if (separator === ' ') return (text) => text.replace(leadingBlanks, '').split(blanks)
  if (separator !== '') return (text) => text.split(separator)
  return keepTrailing ? (text) => [...text, ''] : (text) => [...text]
}
