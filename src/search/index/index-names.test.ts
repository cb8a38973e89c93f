import { describe, expect, it } from 'vitest'
import { checkAliasName, checkIndexName } from './index-names.ts'

describe('index names', () => {
  it.each([
    ['A', 'Invalid index name [A], must be lowercase'],
    [
      'a b',
      'Invalid index name [a b], must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    ],
    ['a#', "Invalid index name [a#], must not contain '#'"],
    ['a:b', "Invalid index name [a:b], must not contain ':'"],
    ['_a', "Invalid index name [_a], must not start with '_', '-', or '+'"],
    ['..', "Invalid index name [..], must not be '.' or '..'"],
    ['x'.repeat(256), `Invalid index name [${'x'.repeat(256)}], index name is too long, (256 > 255)`],
  ])('%s is refused', (name, reason) => {
    expect(() => checkIndexName(name)).toThrow(reason)
  })

  it('are stricter than those of aliases', () => {
    expect(() => checkAliasName('A')).not.toThrow()
    expect(() => checkAliasName('a*')).toThrow('Invalid alias name [a*]: must not contain')
    expect(() => checkIndexName('logs-2024.01.01')).not.toThrow()
  })
})
