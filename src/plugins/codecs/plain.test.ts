import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith, encodeWith } from '../../plugin/testing.ts'
import plain from './plain.ts'

describe('plain', () => {
  it('takes a payload whole', () => {
    expect(decodeWith(codecFor(plain), ['a\nb', 'c'])).toEqual([{ message: 'a\nb' }, { message: 'c' }])
  })

  it('keeps the original in ECS mode', () => {
    expect(decodeWith(codecFor(plain, {}, { ecs: 'v8' }), 'x')).toEqual([
      { message: 'x', event: { original: 'x' } },
    ])
  })

  it('reads other charsets', () => {
    const codec = codecFor(plain, { charset: 'CP1252' })
    expect(decodeWith(codec, new Uint8Array([0x80, 0xe9]))).toEqual([{ message: '€é' }])
  })

  it('refuses charsets nobody knows', () => {
    expect(() => codecFor(plain, { charset: 'utf8' })).toThrow(/Expected one of \["ASCII-8BIT",/)
  })

  it('writes time, host and message, missing ones as placeholders', () => {
    expect(encodeWith(codecFor(plain), [{ message: 'hi', host: 'h' }, {}])).toEqual([
      '2015-10-01T05:06:07.089Z h hi',
      '2015-10-01T05:06:07.089Z %{host} %{message}',
    ])
  })

  it('writes a format', () => {
    expect(encodeWith(codecFor(plain, { format: '%{a}|%{[b][c]}' }), [{ a: 1, b: { c: 'x' } }])).toEqual([
      '1|x',
    ])
  })
})
