/** `string_stats`: lengths of texts and how evenly their characters are spread. */
import { RawJson } from '../../json-text.ts'
import { Counts } from './counts.ts'
import { Maxima, Minima } from './extremes.ts'
import type { Format, KeptNumbers } from './keeper.ts'

const isPlain = /^[\x00-\x7f]*$/

export class StringStatsKeeper {
  readonly #counts = new Counts()
  readonly #lengths = new Counts()
  readonly #minima = new Minima()
  readonly #maxima = new Maxima()
  readonly #characters: (Map<string, number> | undefined)[] = []
  /** Plain characters by their code, as long as texts of the same bucket come. */
  readonly #plain = new Uint32Array(128)
  /** Codes of those that came up, in their order. */
  readonly #codes: number[] = []
  #plainBucket = -1
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
    if (!isPlain.test(text)) {
      this.#settle()
      const characters = this.#charactersOf(bucket)
      for (const character of text) characters.set(character, (characters.get(character) ?? 0) + 1)
      return
    }
    if (bucket !== this.#plainBucket) this.#settle()
    this.#plainBucket = bucket
    const plain = this.#plain
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (plain[code] === 0) this.#codes.push(code)
      plain[code]! += 1
    }
  }

  /** Hands what was counted by code over to the bucket. */
  #settle(): void {
    if (this.#codes.length === 0) return
    const characters = this.#charactersOf(this.#plainBucket)
    for (const code of this.#codes) {
      const character = String.fromCharCode(code)
      characters.set(character, (characters.get(character) ?? 0) + this.#plain[code]!)
      this.#plain[code] = 0
    }
    this.#codes.length = 0
  }

  merge(other: StringStatsKeeper, map: Uint32Array): void {
    this.#settle()
    other.#settle()
    this.#counts.merge(other.#counts, map)
    this.#lengths.merge(other.#lengths, map)
    this.#minima.merge(other.#minima, map)
    this.#maxima.merge(other.#maxima, map)
    const length = Math.min(map.length, other.#characters.length)
    for (let bucket = 0; bucket < length; bucket++) {
      const theirs = other.#characters[bucket]
      if (theirs === undefined) continue
      const own = this.#charactersOf(map[bucket]!)
      for (const [character, count] of theirs) own.set(character, (own.get(character) ?? 0) + count)
    }
  }

  result(bucket: number): KeptNumbers {
    this.#settle()
    const count = this.#counts.at(bucket)
    const shares = this.#shares(bucket)
    const numbers: Record<string, number> = {
      min_length: this.#minima.at(bucket),
      max_length: this.#maxima.at(bucket),
      avg_length: this.#lengths.at(bucket) / count,
      entropy: 0 - shares.reduce((sum, [, share]) => sum + share * Math.log2(share), 0),
    }
    return {
      number: (property) => {
        if (property === 'count') return count
        return Object.hasOwn(numbers, property) ? numbers[property] : undefined
      },
      toJson: () => this.#json(count, numbers, shares),
    }
  }

  #json(
    count: number,
    numbers: Readonly<Record<string, number>>,
    shares: readonly (readonly [string, number])[],
  ): Record<string, unknown> {
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

  /** The most frequent first. */
  #shares(bucket: number): (readonly [string, number])[] {
    const characters = this.#characters[bucket] ?? new Map<string, number>()
    let total = 0
    for (const count of characters.values()) total += count
    return [...characters]
      .sort(([, one], [, other]) => other - one)
      .map(([character, count]) => [character, count / total] as const)
  }

  #charactersOf(bucket: number): Map<string, number> {
    while (this.#characters.length <= bucket) this.#characters.push(undefined)
    return (this.#characters[bucket] ??= new Map())
  }
}

/** Digits as names would be moved to the front of a plain object. */
function members(entries: readonly (readonly [string, unknown])[]): RawJson {
  const list = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return new RawJson(`{${list.join(',')}}`)
}
