/**
 * How deeply values may be nested before copying, comparing or writing them gives up with an error instead
 * of overflowing the stack.
 */
export const maxNesting = 2000

export function checkNesting(depth: number): void {
  if (depth > maxNesting)
    throw new RangeError(`Value nesting depth exceeds the maximum allowed (${maxNesting})`)
}
