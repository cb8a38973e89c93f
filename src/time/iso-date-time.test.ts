import { describe, expect, it } from 'vitest'
import { readIsoDateTime } from './iso-date-time.ts'

describe('readIsoDateTime', () => {
  it.each([
    '2024-01-02T03:04:05',
    '2024-02-29T23:59:59',
    '2000-02-29T00:00:00',
    '0001-01-01T00:00:00',
    '9999-12-31T23:59:59',
    '1970-01-01T00:00:00',
    '1969-12-31T23:59:59',
  ])('reads %s as Date does', (text) => {
    expect(readIsoDateTime(text)).toBe(Date.parse(`${text}Z`) / 1000)
  })

  it('leaves the separator and the rest to its callers', () => {
    expect(readIsoDateTime('2024-01-02 03:04:05,678+02:00')).toBe(Date.parse('2024-01-02T03:04:05Z') / 1000)
  })

  it.each([
    '',
    '2024-01-02T03:04',
    '2024-13-02T03:04:05',
    '2024-00-02T03:04:05',
    '2023-02-29T03:04:05',
    '2024-04-31T03:04:05',
    '2024-01-00T03:04:05',
    '2024-01-02T24:00:00',
    '2024-01-02T03:60:05',
    '2024-01-02T03:04:60',
    '2024/01/02T03:04:05',
    '2024-01-02T03.04.05',
    'x024-01-02T03:04:05',
    '2024-1x-02T03:04:05',
    '2024-01-02T03:04:5 ',
  ])('refuses %j', (text) => {
    expect(readIsoDateTime(text)).toBeNaN()
  })

  it('reads dates of other months in turn', () => {
    const texts = ['2024-01-31T00:00:00', '2024-02-01T00:00:00', '2023-02-28T00:00:00', '2024-02-29T00:00:00']
    for (const text of [...texts, ...texts.reverse()])
      expect(readIsoDateTime(text)).toBe(Date.parse(`${text}Z`) / 1000)
  })
})
