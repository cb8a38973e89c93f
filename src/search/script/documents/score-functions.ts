/** Score functions of scripts: `saturation`, `sigmoid`, `randomScore` and the decay functions. */

import { readDistance } from '../../geo/distance-units.ts'
import { arcDistance } from '../../geo/geo-distance.ts'
import { readPoint } from '../../geo/geo-point.ts'
import { readDuration } from '../../request/units/decay-duration.ts'
import { type DecayShape, decayCurve, randomScore } from '../../scoring/score-functions.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { compileDateFormat, defaultDateFormat } from '../../time/date-format.ts'
import { failing } from '../exceptions.ts'
import { ScriptDate } from '../script-dates.ts'
import { Lambda, ScriptFailure, type ScriptValue, textOf, toDouble, toInteger, typeName } from '../values.ts'
import { type Current, type FieldLookup, GeoPointValue } from './doc-fields.ts'

type Values = readonly ScriptValue[]

function doubles(name: string, arity: number, compute: (...values: number[]) => number): [string, Lambda] {
  return [
    name,
    new Lambda((values) => {
      if (values.length !== arity)
        throw new ScriptFailure(
          'illegal_argument_exception',
          `Unknown call [${name}] with [${values.length}] arguments.`,
        )
      return compute(...values.map((value) => toDouble(value, name)))
    }),
  ]
}

const shapes: readonly (readonly [string, DecayShape])[] = [
  ['Linear', 'linear'],
  ['Exp', 'exp'],
  ['Gauss', 'gauss'],
]

/** The distance from the origin and the scale, for `decayGeoLinear` and the others. */
interface Measured {
  readonly distance: number
  readonly scale: number
  readonly offset: number
}

function geoDistance([origin, scale, offset, , value]: Values): Measured {
  if (!(value instanceof GeoPointValue)) throw unfit(value, 'GeoPoint')
  const { lat, lon } = readPoint(textOf(origin!))
  return {
    distance: arcDistance(lat, lon, value.latitude, value.longitude),
    scale: readDistance(textOf(scale!)),
    offset: readDistance(textOf(offset!)),
  }
}

function dateDistance([origin, scale, offset, , value]: Values): Measured {
  if (!(value instanceof ScriptDate)) throw unfit(value, 'ZonedDateTime')
  const from = compileDateFormat(defaultDateFormat).parse(textOf(origin!))
  return {
    distance: Math.abs(value.millis - from),
    scale: readDuration(textOf(scale!)),
    offset: readDuration(textOf(offset!)),
  }
}

function numberDistance([origin, scale, offset, , value]: Values): Measured {
  return {
    distance: Math.abs(toDouble(value ?? null, 'decay') - toDouble(origin!, 'decay')),
    scale: toDouble(scale!, 'decay'),
    offset: toDouble(offset!, 'decay'),
  }
}

function unfit(value: ScriptValue | undefined, wanted: string): ScriptFailure {
  return new ScriptFailure(
    'class_cast_exception',
    `Cannot cast from [${typeName(value ?? null)}] to [${wanted}].`,
  )
}

function decay(shape: DecayShape, measure: (values: Values) => Measured): Lambda {
  return new Lambda((values) => {
    if (values.length !== 5)
      throw new ScriptFailure('illegal_argument_exception', 'functions that decay have five arguments')
    const { distance, scale, offset } = failing(() => measure(values))
    return decayCurve(shape, scale, toDouble(values[3]!, 'decay'))(Math.max(0, distance - offset))
  })
}

const plain: readonly (readonly [string, Lambda])[] = [
  doubles('saturation', 2, (value, half) => value! / (half! + value!)),
  doubles('sigmoid', 3, (value, half, power) => value! ** power! / (half! ** power! + value! ** power!)),
  ...shapes.flatMap(([name, shape]): (readonly [string, Lambda])[] => [
    [`decayNumeric${name}`, decay(shape, numberDistance)],
    [`decayDate${name}`, decay(shape, dateDistance)],
    [`decayGeo${name}`, decay(shape, geoDistance)],
  ]),
]

export const scoreFunctionNames: readonly string[] = [...plain.map(([name]) => name), 'randomScore']

export function scoreFunctions(
  leaf: LeafReader,
  lookup: FieldLookup,
  current: Current,
): readonly (readonly [string, Lambda])[] {
  const random = new Lambda(([seed = 0n, field = null]) => {
    const path = field === null ? undefined : textOf(field)
    const name = path === undefined ? undefined : (lookup.field(path)?.name ?? path)
    return randomScore(Number(toInteger(seed, 32)), name, lookup.index)(leaf)(current.doc, 0)
  })
  return [...plain, ['randomScore', random]]
}
