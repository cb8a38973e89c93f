import { expect, it } from 'vitest'
import { maxNamedEvents, readNames, writeNames } from './http-header.ts'

it('writes names that are read as they were, with gaps', () => {
  const text = writeNames(['pa', undefined, 'pb', 'pa'])!
  const names = readNames(text)!
  expect(names).toEqual([expect.stringMatching(/^[\w-]{16}$/), undefined, expect.any(String), names[0]])
  expect(names[2]).not.toBe(names[0])
})

it('writes nothing for events without names', () => {
  expect(writeNames([undefined, undefined])).toBeUndefined()
})

it('stays below 4 kB', () => {
  const names = Array.from({ length: maxNamedEvents }, (_, n) => `p${n}`)
  expect(writeNames(names)!.length).toBeLessThan(4096)
})

it.each(['', 'a', 'a,b', '-,', `${'x'.repeat(16)},<script>`, Array(999).fill('-').join(',')])(
  'reads nothing out of %j',
  (text) => {
    expect(readNames(text)).toBeUndefined()
  },
)
