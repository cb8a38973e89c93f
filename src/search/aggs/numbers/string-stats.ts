/** The accumulator of `string_stats`: lengths of texts and the entropy of their characters. */
import { RawJson } from '../../answer/json-text.ts'
import type { Format, MetricResult } from './accumulator.ts'
import { Counts } from './counts.ts'
import { Maxima, Minima } from './extremes.ts'

/** Characters with their relative frequencies. */
type Shares = readonly (readonly [string, number])[]

/** Texts of a bucket are buffered up to this many characters and then counted together. */
const maxWaiting = 512

const isPlain = /^[\x00-\x7f]*$/

export class StringStatsAccumulator {
  readonly #counts = new Counts()
  readonly #lengths = new Counts()
  readonly #minima = new Minima()
  readonly #maxima = new Maxima()
  readonly #characters: (Map<string, number> | undefined)[] = []
  /** Buffered texts by bucket, concatenated. */
  readonly #waiting: string[] = []
  readonly #format: Format | undefined
  readonly #showDistribution: boolean

  constructor(format?: Format, showDistribution = false) {
    this.#format = format
    this.#showDistribution = showDistribution
  }

  add(bucket: number, text: string): void {
    this.#counts.add(bucket)
    this.#lengths.add(bucket, text.length)
    this.#minima.add(bucket, text.length)
    this.#maxima.add(bucket, text.length)
    while (this.#waiting.length <= bucket) this.#waiting.push('')
    this.#waiting[bucket] += text
    if (this.#waiting[bucket]!.length > maxWaiting || endsInHalf(text)) this.#settled(bucket)
  }

  merge(other: StringStatsAccumulator, map: Uint32Array): void {
    this.#counts.merge(other.#counts, map)
    this.#lengths.merge(other.#lengths, map)
    this.#minima.merge(other.#minima, map)
    this.#maxima.merge(other.#maxima, map)
    const length = Math.min(map.length, Math.max(other.#waiting.length, other.#characters.length))
    for (let bucket = 0; bucket < length; bucket++) {
      const own = this.#settled(map[bucket]!)
      for (const [character, count] of other.#settled(bucket)) {
        own.set(character, (own.get(character) ?? 0) + count)
      }
    }
  }

  result(bucket: number): MetricResult {
    return {
      number: (property) => {
        if (property === 'count') return this.#counts.at(bucket)
        const numbers = this.#numbers(bucket, this.#shares(bucket))
        return Object.hasOwn(numbers, property) ? numbers[property] : undefined
      },
      toJson: () => {
        const shares = this.#shares(bucket)
        return this.#json(this.#counts.at(bucket), this.#numbers(bucket, shares), shares)
      },
    }
  }

  #numbers(bucket: number, shares: Shares): Record<string, number> {
    return {
      min_length: this.#minima.at(bucket),
      max_length: this.#maxima.at(bucket),
      avg_length: this.#lengths.at(bucket) / this.#counts.at(bucket),
      entropy: 0 - shares.reduce((sum, [, share]) => sum + share * Math.log2(share), 0),
    }
  }

  #json(count: number, numbers: Readonly<Record<string, number>>, shares: Shares): Record<string, unknown> {
    const distribution = this.#showDistribution
    if (count === 0) {
      const empty = { count, min_length: null, max_length: null, avg_length: null, entropy: 0 }
      return distribution ? { ...empty, distribution: null } : empty
    }
    const json: Record<string, unknown> = { count, ...numbers }
    if (distribution) json['distribution'] = members(shares)
    const format = this.#format
    if (format === undefined) return json
    for (const [name, value] of Object.entries(numbers)) json[`${name}_as_string`] = format(value)
    if (distribution) {
      json['distribution_as_string'] = members(shares.map(([name, share]) => [name, format(share)]))
    }
    return json
  }

  /** By falling frequency. */
  #shares(bucket: number): Shares {
    const characters = this.#settled(bucket)
    let total = 0
    for (const count of characters.values()) total += count
    return [...characters]
      .sort(([, one], [, other]) => other - one)
      .map(([character, count]) => [character, count / total] as const)
  }

  /** Character counts in order of first occurrence, including the buffered texts. */
  #settled(bucket: number): Map<string, number> {
    while (this.#characters.length <= bucket) this.#characters.push(undefined)
    const characters = (this.#characters[bucket] ??= new Map())
    const text = this.#waiting[bucket] ?? ''
    if (text === '') return characters
    this.#waiting[bucket] = ''
    if (isPlain.test(text)) countPlain(text, characters)
    else for (const character of text) characters.set(character, (characters.get(character) ?? 0) + 1)
    return characters
  }
}

/** All zero except while a text is counted. */
const byCode = new Uint32Array(128)

/** The fast path for ASCII texts. */
function countPlain(text: string, characters: Map<string, number>): void {
  const codes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (byCode[code] === 0) codes.push(code)
    byCode[code]! += 1
  }
  for (const code of codes) {
    const character = String.fromCharCode(code)
    characters.set(character, (characters.get(character) ?? 0) + byCode[code]!)
    byCode[code] = 0
  }
}

/** True when the text ends in half a surrogate pair. */
function endsInHalf(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
}

/** Renders members in order; a plain object would move digits to the front. */
function members(entries: readonly (readonly [string, unknown])[]): RawJson {
  const list = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return new RawJson(`{${list.join(',')}}`)
}
