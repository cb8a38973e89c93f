import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { float, LsFloat } from '../../event/value.ts'
import { decimalToInteger, hexToInteger, leadingNumber, shortInteger, textToFloat } from './number.ts'

describe('decimalToInteger', () => {
  it.each<[string, number | bigint]>([
    ['12', 12],
    ['-12', -12],
    ['+5', 5],
    ['-0', 0],
    ['007', 7],
    ['12.7', 12],
    ['-12.7', -12],
    ['.5', 0],
    ['-.5', 0],
    ['1_000', 1000],
    ['1e5', 100000],
    ['1E5', 100000],
    ['1d5', 100000],
    ['1e-5', 0],
    ['1.230000e+02', 123],
    ['1.234500e+02', 123],
    ['0.00123e5', 123],
    ['1e1_0', 10000000000],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-18446744073709551616', -18446744073709551616n],
    ['1e20', 100000000000000000000n],
  ])('%s', (text, expected) => {
    expect(decimalToInteger(text)).toBe(expected)
  })

  it.each(['abc', '', '12abc', '--5', '1e', 'e5', '.', '_1', '1__0', '5_.1', '0b11', '1 2', '1e5.5', '٣'])(
    'refuses %j',
    (text) => {
      expect(() => decimalToInteger(text)).toThrow(`invalid value for BigDecimal(): "${text}"`)
    },
  )

  it('refuses what has no integer, and does not write out absurd exponents', () => {
    expect(() => decimalToInteger('NaN')).toThrow("Computation results in 'NaN'")
    expect(() => decimalToInteger('-Infinity')).toThrow("Computation results in '-Infinity'")
    expect(() => decimalToInteger('1e999999999')).toThrow('4096 digits')
    expect(() => decimalToInteger('9'.repeat(100_000))).toThrow('4096 digits')
    expect(decimalToInteger(`1e-${'9'.repeat(100)}`)).toBe(0)
    expect(decimalToInteger(`${'0'.repeat(100_000)}7`)).toBe(7)
  })

  it('agrees with BigInt on any integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        expect(BigInt(decimalToInteger(String(value)))).toBe(value)
      }),
    )
  })
})

describe('shortInteger', () => {
  it('reads plain digits only', () => {
    expect(['200', '-7', '-0', '999999999999999'].map(shortInteger)).toEqual([200, -7, 0, 999999999999999])
    expect(Object.is(shortInteger('-0'), 0)).toBe(true)
    for (const text of ['', '-', '+1', '1.0', ' 1', '1,0', '1234567890123456']) {
      expect(shortInteger(text)).toBeUndefined()
    }
  })
})

describe('hexToInteger', () => {
  it('reads signs, capitals and underscores', () => {
    expect(['0x1f', '0X1F', '-0x1f', '+0x1f', '0x1_f'].map(hexToInteger)).toEqual([31, 31, -31, 31, 31])
    expect(hexToInteger('0xffffffffffffffff')).toBe(18446744073709551615n)
    for (const text of ['0x', '0x_1', '0xg', '0x1p3']) {
      expect(() => hexToInteger(text)).toThrow(`invalid value for Integer(): "${text}"`)
    }
  })
})

describe('textToFloat', () => {
  it.each<[string, number]>([
    ['3141.5926', 3141.5926],
    ['.5', 0.5],
    ['-12.7', -12.7],
    ['1_0.1_5', 10.15],
    ['1.5e-3', 0.0015],
    ['0x1.edcdp6', 123.4501953125],
    ['0x1.8p-2', 0.375],
    ['-0x1.8p-2', -0.375],
  ])('%s', (text, expected) => {
    expect(textToFloat(text)).toBe(expected)
  })

  it('keeps whole numbers floats', () => {
    for (const [text, value] of [
      ['3', 3],
      ['1e5', 1e5],
      ['0x7b', 123],
      ['0x1p3', 8],
      ['1e400', Number.POSITIVE_INFINITY],
    ] as const) {
      const result = textToFloat(text)
      expect(result).toBeInstanceOf(LsFloat)
      expect((result as LsFloat).value).toBe(value)
    }
    expect(Object.is((textToFloat('-0.0') as LsFloat).value, -0)).toBe(true)
  })

  it.each(['', 'abc', '1d5', 'NaN', 'Infinity', '1e', '--1', '1__0', '0x', '0x1.8', '1 2'])(
    'refuses %j',
    (text) => {
      expect(() => textToFloat(text)).toThrow(`invalid value for Float(): "${text}"`)
    },
  )

  it('agrees with JavaScript on any finite double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(!Object.is(value, -0))
        expect(textToFloat(String(value))).toEqual(float(value))
      }),
    )
  })
})

describe('leadingNumber', () => {
  it.each<[string, number]>([
    ['1.5abc', 1.5],
    ['abc', 0],
    [' 2', 2],
    ['1e3', 1000],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1_0', 10],
    ['1.e3', 1],
    ['0x1f', 0],
    ['%{seconds}', 0],
    ['', 0],
  ])('%j', (text, expected) => {
    expect(leadingNumber(text)).toBe(expected)
  })
})
