/** `string_stats`: lengths of texts and how evenly their characters are spread. */
import { RawJson } from '../../json-text.ts'
import { Counts } from './counts.ts'
import { Maxima, Minima } from './extremes.ts'
import type { Format, KeptNumbers } from './keeper.ts'

export class StringStatsKeeper {
  readonly #counts = new Counts()
  readonly #lengths = new Counts()
  readonly #minima = new Minima()
  readonly #maxima = new Maxima()
  readonly #characters: (Map<string, number> | undefined)[] = []
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
    const characters = this.#charactersOf(bucket)
    for (const character of text) characters.set(character, (characters.get(character) ?? 0) + 1)
  }

  merge(other: StringStatsKeeper, map: Uint32Array): void {
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
