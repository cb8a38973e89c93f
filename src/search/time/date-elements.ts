/**
 * The elements of a date pattern. Each parses its part of a text from an offset and returns the offset behind it, or
 * -1; and prints its part of a moment.
 */
import { DateFields, type Slot, slot } from './date-fields.ts'
import { findTimeZone, fixedOffset, offsetText, type TimeZone, utc } from './time-zone.ts'

interface Written {
  readonly values: Float64Array
  readonly offset: number
  readonly zone: TimeZone
}

export interface DateElement {
  read(text: string, at: number, fields: DateFields): number
  write(moment: Written): string
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

interface NumberWidth {
  readonly min: number
  readonly max: number
  /** `pad`: more digits than `min` only after a plus, as in years after 9999; `minus`: may be negative. */
  readonly sign: 'none' | 'minus' | 'pad'
}

/** `reserved` digits at the end of a run belong to the numbers that follow directly (adjacent value parsing). */
export function numberElement(field: Slot, { min, max, sign }: NumberWidth, reserved = 0): DateElement {
  return {
    read(text, at, fields) {
      const first = text[at]
      const signed = sign !== 'none' && (first === '-' || (first === '+' && sign === 'pad'))
      const start = signed ? at + 1 : at
      let end = start
      while (end - start < max + reserved && isDigit(text, end)) end++
      if (end - start < min) return -1
      if (reserved > 0) end = Math.max(start + min, end - reserved)
      if (sign === 'pad' && first !== '-' && (first === '+') !== end - start > min) return -1
      const value = Number(text.slice(start, end))
      return fields.put(field, first === '-' && signed ? -value : value) ? end : -1
    },
    write({ values }) {
      const value = values[field]!
      const digits = String(Math.abs(value)).padStart(min, '0')
      if (value < 0) return `-${digits}`
      return sign === 'pad' && digits.length > min ? `+${digits}` : digits
    },
  }
}

/** A two-digit year from 2000 to 2099. */
export function shortYear(field: Slot, reserved: number): DateElement {
  const inner = numberElement(field, { min: 2, max: 2, sign: 'none' }, reserved)
  const short = new DateFields()
  short.clear()
  return {
    read(text, at, fields) {
      const end = inner.read(text, at, short)
      if (end === -1) return -1
      const year = short.values[field]! + 2000
      short.clear()
      return fields.put(field, year) ? end : -1
    },
    write: ({ values }) => String(Math.abs(values[field]!) % 100).padStart(2, '0'),
  }
}

/** Digits of a second's fraction; `point` parses a point or comma before them. */
export function fraction(min: number, max: number, point: boolean, written = min): DateElement {
  return {
    read(text, at, fields) {
      if (point && text[at] !== '.' && text[at] !== ',') return -1
      const start = point ? at + 1 : at
      let end = start
      while (end - start < max && isDigit(text, end)) end++
      if (end - start < min) return -1
      return fields.put(slot.nano, Number(text.slice(start, end).padEnd(9, '0'))) ? end : -1
    },
    write({ values }) {
      const digits = String(values[slot.nano]!).padStart(9, '0').slice(0, max)
      const kept = digits.slice(0, written) + digits.slice(written).replace(/0+$/, '')
      return (point ? '.' : '') + kept
    },
  }
}

export function literal(wanted: string): DateElement {
  return {
    read: (text, at) => (text.startsWith(wanted, at) ? at + wanted.length : -1),
    write: () => wanted,
  }
}

/** One of the names, the longest that matches; the n-th stands for `base + n`. */
export function name(field: Slot, names: readonly string[], base: number): DateElement {
  return {
    read(text, at, fields) {
      let found = -1
      for (let index = 0; index < names.length; index++) {
        const longer = found === -1 || names[index]!.length > names[found]!.length
        if (longer && text.startsWith(names[index]!, at)) found = index
      }
      if (found === -1) return -1
      return fields.put(field, base + found) ? at + names[found]!.length : -1
    },
    write: ({ values }) => names[values[field]! - base] ?? '',
  }
}

interface OffsetForm {
  readonly colons: 'yes' | 'no' | 'either'
  /** How UTC is printed; accepted when parsing, too. */
  readonly zero: string
  readonly hoursAlone?: boolean
  readonly seconds?: boolean
}

const maxOffset = 18 * 3_600_000

export function offset({ colons, zero, hoursAlone = false, seconds = false }: OffsetForm): DateElement {
  const colon = { yes: ':', no: '', either: ':?' }[colons]
  const last = seconds ? `(?:${colon}([0-5]\\d))?` : ''
  const minutes = `${colon}([0-5]\\d)${last}`
  const form = new RegExp(`([+-])(\\d\\d)${hoursAlone ? `(?:${minutes})?` : minutes}`, 'y')
  return {
    read(text, at, fields) {
      form.lastIndex = at
      const match = form.exec(text)
      if (match === null) {
        if (!text.startsWith(zero, at)) return -1
        fields.zone = utc
        return at + zero.length
      }
      const [all, sign, hour, minute = '0', second = '0'] = match
      const total = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000
      if (total > maxOffset) return -1
      fields.zone = fixedOffset(sign === '-' ? -total : total)
      return at + all.length
    },
    write(moment) {
      const whole = seconds ? moment.offset : Math.trunc(moment.offset / 60_000) * 60_000
      const text = offsetText(whole, colons !== 'no', zero)
      return hoursAlone && colons === 'no' && text.endsWith('00') && text.length === 5
        ? text.slice(0, 3)
        : text
    },
  }
}

/** `GMT+5:30`, or `GMT+05:30` in full. */
export function gmtOffset(full: boolean): DateElement {
  const form = full
    ? /GMT(?:([+-])(\d\d):([0-5]\d)(?::([0-5]\d))?)?/y
    : /GMT(?:([+-])(\d\d?)(?::([0-5]\d)(?::([0-5]\d))?)?)?/y
  return {
    read(text, at, fields) {
      form.lastIndex = at
      const match = form.exec(text)
      if (match === null) return -1
      const [all, sign, hour = '0', minute = '0', second = '0'] = match
      const total = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000
      if (total > maxOffset) return -1
      fields.zone = fixedOffset(sign === '-' ? -total : total)
      return at + all.length
    },
    write(moment) {
      const text = offsetText(moment.offset, true, '')
      return `GMT${full ? text : text.replace(/^([+-])0/, '$1').replace(/^([+-]\d+):00$/, '$1')}`
    },
  }
}

const regionName = /[A-Za-z][A-Za-z0-9~/._+-]*/y

/** An offset or the name of a region. */
export function zoneOrOffset(colons: 'yes' | 'no'): DateElement {
  const asOffset = offset({ colons: 'either', zero: 'Z', hoursAlone: true, seconds: true })
  return {
    read(text, at, fields) {
      regionName.lastIndex = at
      const region = regionName.exec(text)?.[0]
      const zone = region === undefined ? undefined : findTimeZone(region)
      if (zone === undefined) return asOffset.read(text, at, fields)
      fields.zone = zone
      return at + region!.length
    },
    write: (moment) => offsetText(moment.offset, colons === 'yes'),
  }
}

export function zoneId(): DateElement {
  return { ...zoneOrOffset('yes'), write: ({ zone }) => zone.name }
}

export function sequence(elements: readonly DateElement[]): DateElement {
  return {
    read(text, at, fields) {
      for (const element of elements) {
        const end = element.read(text, at, fields)
        if (end === -1) {
          if (at > fields.failedAt) fields.failedAt = at
          return -1
        }
        at = end
      }
      return at
    },
    write(moment) {
      let text = ''
      for (const element of elements) text += element.write(moment)
      return text
    },
  }
}

/** When an optional part does not match, everything it parsed is discarded. */
export function optional(element: DateElement): DateElement {
  return {
    read(text, at, fields) {
      const before = fields.values.slice()
      const { zone, failedAt } = fields
      const end = element.read(text, at, fields)
      if (end !== -1) return end
      fields.values.set(before)
      fields.zone = zone
      fields.failedAt = failedAt
      return at
    },
    write: (moment) => element.write(moment),
  }
}
