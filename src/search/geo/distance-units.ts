/** Distance units of requests, in meters. */
import { illegalArgument, numberFormat } from '../request/errors.ts'
import { plainText } from '../request/plain-text.ts'

const metersPerUnit: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['meters', 1],
  ['km', 1000],
  ['kilometers', 1000],
  ['cm', 0.01],
  ['centimeters', 0.01],
  ['mm', 0.001],
  ['millimeters', 0.001],
  ['mi', 1609.344],
  ['miles', 1609.344],
  ['yd', 0.9144],
  ['yards', 0.9144],
  ['ft', 0.3048],
  ['feet', 0.3048],
  ['in', 0.0254],
  ['inch', 0.0254],
  ['nmi', 1852],
  ['NM', 1852],
  ['nauticalmiles', 1852],
])

/** Returns the meters of a unit. */
export function metersOf(unit: string): number {
  const meters = metersPerUnit.get(unit)
  if (meters === undefined) throw illegalArgument(`No distance unit match [${unit}]`)
  return meters
}

/** Parses `12km`, `200m`, or `5` in the given unit, to meters. */
export function readDistance(value: unknown, unit = 'm'): number {
  const text = plainText(value)
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*$/.exec(text)
  if (match === null) throw numberFormat(text)
  const factor = metersPerUnit.get(match[2] || unit || 'm')
  if (factor === undefined) throw illegalArgument(`No distance unit match [${match[2]}]`)
  return Number(match[1]) * factor
}
