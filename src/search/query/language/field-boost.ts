/** An entry of `fields`: a name or pattern with a boost, `title^5`. */
import { numberFormat } from '../../request/errors.ts'

export interface FieldBoost {
  readonly name: string
  readonly boost: number
}

export function readFieldBoost(text: string): FieldBoost {
  const caret = text.indexOf('^')
  if (caret === -1) return { name: text, boost: 1 }
  const weight = text.slice(caret + 1).trim()
  const boost = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(weight) ? Number(weight) : Number.NaN
  if (Number.isNaN(boost)) throw numberFormat(weight)
  return { name: text.slice(0, caret), boost: Math.fround(boost) }
}

/** A name that is listed twice has its last boost. Those of patterns that meet in one field are multiplied later. */
export function withLastBoosts(list: readonly FieldBoost[]): FieldBoost[] {
  return [...new Map(list.map((one) => [one.name, one])).values()]
}
