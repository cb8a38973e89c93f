import { describe, expect, it } from 'vitest'
import type { Section } from '../encoding/sections.ts'
import { SectionAlias } from '../segment-file.ts'
import { withoutRepetition } from './section-dedup.ts'

function texts(...all: string[]): Section {
  let end = 0
  const ends = Uint32Array.from(all, (text) => (end += text.length))
  return { bytes: Buffer.from(all.join('')), ends }
}

function written(sections: readonly (readonly [string, Section])[]): (string | undefined)[] {
  return Array.from(withoutRepetition(sections), ([, section]) =>
    section instanceof SectionAlias ? section.name : undefined,
  )
}

describe('sections of a segment', () => {
  it('are written once when they are equal or the same', () => {
    const ordinals = new Uint32Array([1, 2])
    const long = 'x'.repeat(10_000)
    const sections: [string, Section][] = [
      ['f0.values.text', texts('a', 'bc')],
      ['f1.values.text', texts('ab', 'c')],
      ['f2.values.text', texts('a', 'bc')],
      ['f3.values.text', texts('a', 'bc')],
      ['f4.postings', texts('a', 'bc')],
      ['f5.ordinals', ordinals],
      ['f6.ordinals', ordinals],
      ['f7.values.text', texts(`${long}1${long}`)],
      ['f8.values.text', texts(`${long}2${long}`)],
      ['f9.values.text', texts(`${long}2${long}`)],
    ]
    expect(written(sections)).toEqual([
      undefined,
      undefined,
      'f0.values.text',
      'f0.values.text',
      undefined,
      undefined,
      'f5.ordinals',
      undefined,
      undefined,
      'f8.values.text',
    ])
  })

  it('are found among those of twenty thousand fields', () => {
    const sections = Array.from({ length: 20_000 }, (_, i): [string, Section] => [
      `f${i}.values.text`,
      texts(String(100_000 + i)),
    ])
    const started = performance.now()
    expect(written(sections).every((alias) => alias === undefined)).toBe(true)
    // Comparing each with all before it took 40 seconds.
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
