import { expect, it } from 'vitest'
import { murmur3x64 } from './murmur3-x64.ts'

it.each([
  ['', 0n, 0n],
  ['hello', 0xcbd8a7b341bd9b02n, 0x5b1e906a48ae1d19n],
  ['The quick brown fox jumps over the lazy dog', 0xe34bbc7bbc071b6cn, 0x7a433ca9c49a9347n],
] as const)('hashes %j', (text, first, second) => {
  expect(murmur3x64(Buffer.from(text))).toEqual([first, second])
})
