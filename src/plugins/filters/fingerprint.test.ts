import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { filterFor, runFilter, type TestOptions } from '../../plugin/testing.ts'
import { allFieldsText, pairText } from './fingerprint/fingerprint-text.ts'
import fingerprint from './fingerprint.ts'

const clientip = '123.123.123.123'

async function print(options: TestOptions, fields: Record<string, unknown> = { clientip }) {
  const [result] = await runFilter(fingerprint, { target: 'f', ...options }, [fields as never])
  return result?.['f']
}

describe('fingerprint', () => {
  it.each([
    ['MD5', '202cb962ac59075b964b07152d234b70'],
    ['SHA1', '40bd001563085fc35165329ea1ff5c5ecbdbbeef'],
    ['SHA256', 'a665a45920422f9d417e4867efdc4fb8a04a1f3fff1fa07e998e86f7f7a27ae3'],
    [
      'SHA384',
      '9a0a82f0c0cf31470d7affede3406cc9aa8410671520b727044eda15b4c25532a9b5cd8aaf9cec4919d76255b6bfb00f',
    ],
  ])('%s of 123', async (method, expected) => {
    expect(await print({ method, source: 'a' }, { a: '123' })).toBe(expected)
    expect(await print({ method, source: 'a' }, { a: 123 })).toBe(expected)
  })

  it('makes HMACs with a key', async () => {
    const fields = { a: 'The quick brown fox jumps over the lazy dog' }
    expect(await print({ method: 'MD5', key: 'key', source: 'a' }, fields)).toBe(
      '80070713463e7749b90c2dc24911e275',
    )
    expect(await print({ method: 'SHA1', key: 'key', source: 'a' }, fields)).toBe(
      'de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9',
    )
    expect(await print({ method: 'SHA1', key: 'key', source: 'a', base64encode: true }, fields)).toBe(
      Buffer.from('de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9', 'hex').toString('base64'),
    )
  })

  it('has a default target by mode, and matches always', async () => {
    expect(
      await runFilter(fingerprint, { method: 'MD5', add_tag: ['ok'] }, [{ message: '123' }, {}]),
    ).toEqual([
      { message: '123', fingerprint: '202cb962ac59075b964b07152d234b70', tags: ['ok'] },
      { tags: ['ok'] },
    ])
    expect(await runFilter(fingerprint, { method: 'MD5' }, [{ message: '123' }], { ecs: 'v8' })).toEqual([
      { message: '123', event: { hash: '202cb962ac59075b964b07152d234b70' } },
    ])
  })

  it('takes the last of several sources, a list item by item', async () => {
    const one = '202cb962ac59075b964b07152d234b70'
    expect(await print({ method: 'MD5', source: ['a', 'b', 'c'] }, { a: 'x', b: '123' })).toBe(one)
    expect(await print({ method: 'MD5', source: 'a' }, { a: ['123', 123] })).toEqual([one, one])
  })

  it('concatenates sources in alphabetical order', async () => {
    const options = { method: 'MD5', source: ['b', 'a', 'missing'], concatenate_sources: true }
    const direct = { method: 'MD5', source: 't' }
    expect(await print(options, { a: '1', b: [2, 3] })).toBe(
      await print(direct, { t: '|a|1|b|2|3|missing||' }),
    )
  })

  it('writes maps sorted, everything joined by bars, times in full', () => {
    expect(pairText('a', { z: 1, b: { y: 'x', c: [1, null] } })).toBe('|a|b|c|1||y|x|z|1')
    expect(allFieldsText({ b: 1, a: new Timestamp(0, 5) })).toBe('|a|1970-01-01T00:00:00.000000005Z|b|1')
  })

  it('takes a map as its names and values', async () => {
    // Seen in Logstash 8.19.
    expect(await print({ method: 'SHA384', source: 'a' }, { a: { k: '2', j: 1 } })).toBe(
      '2968bb8c1af3aac4240ad18a0bfad77536e083ff9547afa592587443291180636e62c768b82ae67a710c24142e02c812',
    )
    const options = { method: 'SHA1', source: 'a', concatenate_sources: true }
    expect(await print({ ...options, source: '[n][deep]' }, { n: { deep: { x: ['0.1', 'z'] } } })).toBe(
      '31dfe1de05cbaf0eb9b33f70907ea173130a0ad2',
    )
  })

  it('concatenates all fields', async () => {
    const time = new Timestamp(0)
    const fields = { '@timestamp': time, '@version': '1', b: 'x' }
    const text = '|@timestamp|1970-01-01T00:00:00.000Z|@version|1|b|x|'
    expect(await print({ method: 'MD5', concatenate_all_fields: true }, fields)).toBe(
      await print({ method: 'MD5', source: 't' }, { t: text }),
    )
  })

  it('keeps networks', async () => {
    const options = { method: 'IPV4_NETWORK', source: 'clientip' }
    expect(await print({ ...options, key: '24' })).toBe('123.123.123.0')
    expect(await print({ ...options, key: '8' })).toBe('123.0.0.0')
    expect(await print({ ...options, key: '24' }, { clientip: 'nonsense' })).toBeUndefined()
    // The key is a secret, and no number is one for Logstash.
    await expect(print({ ...options, key: 24 })).rejects.toThrow('Expected password')
    expect(() => filterFor(fingerprint, options)).toThrow(
      'Key value is empty. Please fill in a subnet prefix length',
    )
  })

  it('makes numbers and short texts without cryptography', async () => {
    const text = 'The quick brown fox jumps over the lazy dog'
    expect(await print({ method: 'MURMUR3', source: 'a' }, { a: text })).toBe(0x2e4ff723)
    // Seen in Logstash 8.19.
    const options = { method: 'MURMUR3_128', source: 'tags', concatenate_sources: true }
    expect(await print(options, { tags: 't1' })).toBe('abee03cba9bb0a2c6c9f2a0dc277f30d')
  })

  it('makes random ids', async () => {
    expect(await print({ method: 'UUID' })).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  it('keeps punctuation and symbols', async () => {
    const field1 = 'PHP Warning:  json_encode() [<a href="function.json-encode">x</a>]: Über+€'
    expect(await print({ method: 'PUNCTUATION', source: 'a' }, { a: field1 })).toBe(
      ':_()[<="."></>]:+€'.replace('"."', '".-"'),
    )
  })
})
