// A digest must not depend on the order of lines or keys, nor on the values of volatile fields; on everything else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { canonicalLine, digestFile } from './digest.mjs'

const directory = mkdtempSync(join(tmpdir(), 'digest-'))
afterAll(() => rmSync(directory, { recursive: true }))

const rule = { kind: 'json-lines', volatile: ['@timestamp', 'port'] }
let files = 0
function digest(content, withRule = rule, known = undefined) {
  const path = join(directory, `output-${files++}`)
  writeFileSync(path, content)
  return digestFile(path, withRule, known)
}
const noon = '"@timestamp":"2024-01-01T12:00:00.000Z"'

test('order of lines, order of keys and time of day do not matter', () => {
  const one = digest(`{${noon},"a":1,"b":{"x":1,"y":2}}\n{${noon},"a":2}\n`)
  const other = digest(
    `{"a":2,"@timestamp":"2025-02-03T04:05:06.123456Z"}\n{"b":{"y":2,"x":1},"a":1,${noon}}\n`,
  )
  expect(one.count).toBe(2)
  expect(other.sha256).toBe(one.sha256)
})

test.each([
  ['another value', `{${noon},"a":2}\n`],
  ['another type', `{${noon},"a":"1"}\n`],
  ['no timestamp', '{"a":1}\n'],
  ['a timestamp that is none', '{"@timestamp":"noon","a":1}\n'],
  ['one more line', `{${noon},"a":1}\n{${noon},"a":1}\n`],
  ['no line end', `{${noon},"a":1}`],
  ['not JSON', 'a\n'],
  ['nothing', ''],
])('%s is another digest', (_, content) => {
  expect(digest(content).sha256).not.toBe(digest(`{${noon},"a":1}\n`).sha256)
})

test('a volatile port must still be a port', () => {
  expect(canonicalLine('{"port":51234}', ['port'])).toBe('{"port":"<port>"}')
  expect(canonicalLine('{"port":"51234"}', ['port'])).toBe('{"port":"51234"}')
})

test('a field named __proto__ is data', () => {
  expect(canonicalLine('{"b":1,"__proto__":{"a":1}}', [])).toBe('{"__proto__":{"a":1},"b":1}')
})

test('names the first line the other output does not have', () => {
  const { known } = digest('{"a":1}\n{"a":2}\n')
  expect(digest('{"a":2}\n{"a":3}\n', rule, known).stranger).toBe('{"a":3}')
  expect(digest('{"a":2}\n', rule, known).stranger).toBeUndefined()
})

test('bytes are counted and hashed; empty is empty', () => {
  // SHA-256 of "abc" from FIPS 180-2, appendix B.1
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(digest('abc', { kind: 'bytes' })).toEqual({ count: 3, unit: 'bytes', sha256: abc })
  expect(digest('', { kind: 'empty' }).sha256).toBe('empty')
  expect(digest('abc', { kind: 'empty' }).sha256).toBe(abc)
})
