/** add_field, remove_field, add_tag and remove_tag of every filter that can be made to succeed on one event. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Fields } from '../../event/value.ts'
import { runFilter, type TestOptions } from '../../plugin/testing.ts'
import { catalogue } from '../catalogue.ts'
import { testDatabase } from './geoip/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'decorations-'))
afterAll(() => rmSync(folder, { recursive: true }))
const database = join(folder, 'asn.mmdb')
writeFileSync(database, testDatabase('GeoLite2-ASN', { '9.0.0.0/8': { autonomous_system_number: 64500 } }))

/** Options, an event the filter succeeds on, one it does not; the last only where there is one. */
const table: [name: string, options: TestOptions, success: Fields, failure?: Fields][] = [
  ['alter', { coalesce: ['a', '%{b}'] }, { b: 'x' }],
  ['bytes', {}, { message: '1 kB' }, { message: 'x' }],
  ['cidr', { address: ['%{a}'], network: ['9.0.0.0/8'] }, { a: '9.1.1.1' }, { a: '8.1.1.1' }],
  ['csv', {}, { message: 'a,b' }, { message: 'a "b"' }],
  ['date', { match: ['a', 'UNIX'] }, { a: 1 }, { a: 'x' }],
  ['de_dot', {}, { 'a.b': 1 }],
  ['dissect', { mapping: { message: '%{a} %{b}' } }, { message: 'x y' }, { message: 'x' }],
  ['fingerprint', {}, { message: 'x' }],
  ['geoip', { source: 'a', database }, { a: '9.1.1.1' }, { a: '8.1.1.1' }],
  ['grok', { match: { message: '%{INT:n}' } }, { message: '5' }, { message: 'x' }],
  ['json', { source: 'message' }, { message: '{}' }, { message: '{' }],
  ['json_encode', { source: 'a' }, { a: 1 }],
  ['kv', {}, { message: 'a=b' }, { message: 'ab' }],
  ['logfmt', { source: 'message' }, { message: 'a=b' }],
  ['mutate', { lowercase: ['a'] }, { a: 'X' }],
  ['noop', {}, {}],
  ['prune', {}, {}],
  ['ruby', { code: 'event.get("a").upcase' }, { a: 'x' }, {}],
  ['syslog_pri', {}, { syslog_pri: '13' }],
  ['translate', { source: 'a', target: 'b', dictionary: { x: 'y' } }, { a: 'x' }, { a: 'z' }],
  ['truncate', { fields: ['a'], length_bytes: 1 }, { a: 'xyz' }, { a: 'x' }],
  ['urldecode', {}, { message: '%41' }],
  ['useragent', { source: 'a' }, { a: 'curl/7.64.1' }, {}],
  ['uuid', { target: 'u' }, {}],
  ['xml', { source: 'a', target: 'b' }, { a: '<x>1</x>' }, { a: '<x' }],
]

const decorations = {
  add_field: { 'new_%{keep}': '%{keep}!', keep: 'more' },
  remove_field: ['gone_%{which}'],
  add_tag: ['was_%{which}', 'yes'],
  remove_tag: ['no'],
}
const before: Fields = { keep: 'k', gone_k: 1, which: 'k', tags: ['no', 'stays'] }

async function decorated(name: string, options: TestOptions, fields: Fields): Promise<Fields[]> {
  const definition = (await catalogue.load('filter', name))!
  if (definition.type !== 'filter') throw new Error('not a filter')
  return runFilter(definition, { ...options, ...decorations }, [structuredClone({ ...before, ...fields })])
}

describe('a filter that succeeds is followed by the common options', () => {
  it.each(table)('%s %j on %j', async (name, options, success) => {
    const [fields] = await decorated(name, options, success)
    expect(fields).toMatchObject({ new_k: 'k!', keep: ['k', 'more'] })
    expect(fields).not.toHaveProperty('gone_k')
    expect(fields?.['tags']).toEqual(['stays', 'was_k', 'yes'])
  })
})

describe('a filter that does not is not', () => {
  const failing = table.flatMap(([name, options, , failure]) =>
    failure === undefined ? [] : [[name, options, failure] as const],
  )
  it.each(failing)('%s %j on %j', async (name, options, failure) => {
    const [fields] = await decorated(name, options, failure)
    expect(fields).toMatchObject({ keep: 'k', gone_k: 1 })
    expect(fields).not.toHaveProperty('new_k')
    expect(fields?.['tags']).toEqual(expect.arrayContaining(['no', 'stays']))
    expect(fields?.['tags']).not.toContain('yes')
  })
})

describe('filters that make events decorate those', () => {
  it('clone: the copies only', async () => {
    const [original, copy] = await decorated('clone', { clones: ['c'] }, {})
    expect(original).toEqual(before)
    expect(copy).toMatchObject({ type: 'c', new_k: 'k!', tags: ['stays', 'was_k', 'yes'] })
    expect(copy).not.toHaveProperty('gone_k')
  })

  it('split: the parts', async () => {
    const parts = await decorated('split', {}, { message: 'a\nb' })
    expect(parts.map(({ message, new_k, tags }) => [message, new_k, tags])).toEqual([
      ['a', 'k!', ['stays', 'was_k', 'yes']],
      ['b', 'k!', ['stays', 'was_k', 'yes']],
    ])
  })
})
