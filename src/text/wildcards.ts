/**
 * Whether a text fits a pattern with stars, whatever else its tokens mean. On a mismatch the last star takes one more
 * character: linear memory, no recursion, and at most the product of both lengths in steps.
 */
export function fitsWildcards(
  tokenCount: number,
  length: number,
  isStar: (token: number) => boolean,
  fits: (token: number, at: number) => boolean,
): boolean {
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < length) {
    if (token < tokenCount && isStar(token)) {
      star = token++
      resume = at
    } else if (token < tokenCount && fits(token, at)) {
      token++
      at++
    } else if (star >= 0) {
      token = star + 1
      at = ++resume
    } else return false
  }
  while (token < tokenCount && isStar(token)) token++
  return token === tokenCount
}
