/** The `flags` option of `simple_query_string`: which operators are enabled, `OR|AND|PREFIX`. */
import { illegalArgument } from '../../request/errors.ts'

const bits = new Map([
  ['AND', 1],
  ['NOT', 2],
  ['OR', 4],
  ['PREFIX', 8],
  ['PHRASE', 16],
  ['PRECEDENCE', 32],
  ['ESCAPE', 64],
  ['WHITESPACE', 128],
  ['FUZZY', 256],
  ['NEAR', 512],
  ['SLOP', 512],
])

export const flag = {
  and: 1,
  not: 2,
  or: 4,
  prefix: 8,
  phrase: 16,
  precedence: 32,
  escape: 64,
  whitespace: 128,
  fuzzy: 256,
  near: 512,
} as const

export const allFlags = 1023

export function parseSimpleFlags(text: string): number {
  let flags = 0
  if (text === '') return allFlags
  for (const part of text.split('|')) {
    if (part === '') continue
    const name = part.toUpperCase()
    if (name === 'ALL') return allFlags
    if (name === 'NONE') return 0
    const bit = bits.get(name)
    if (bit === undefined) throw illegalArgument(`Unknown simple_query_string flag [${part}]`)
    flags |= bit
  }
  return flags
}
