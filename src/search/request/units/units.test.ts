import { expect, it } from 'vitest'
import { parseBytes, parseTime } from './units.ts'

it('times need a unit, and no fraction', () => {
  expect(['1s', '5m', '-1', '0', '10ms', '1d'].map((text) => parseTime(text, 't'))).toEqual([
    1000, 300_000, -1, 0, 10, 86_400_000,
  ])
  expect(['5 s', ' 2H ', '+3m', '-1ms'].map((text) => parseTime(text, 't'))).toEqual([
    5000, 7_200_000, 180_000, -1,
  ])
  expect(() => parseTime('5', 't')).toThrow('unit is missing or unrecognized')
  expect(() => parseTime('5M', 't')).toThrow('unit is missing or unrecognized')
  expect(() => parseTime('abcs', 't')).toThrow(/^failed to parse \[abcs\]$/)
  expect(() => parseTime('1.5s', 't')).toThrow(
    'failed to parse [1.5s], fractional time values are not supported',
  )
  expect(() => parseTime('-5s', 't')).toThrow('negative durations are not supported')
})

it('sizes are read with binary units and fractions', () => {
  expect(['10b', '1kb', '1.5mb', '2g'].map((text) => parseBytes(text, 't'))).toEqual([
    10, 1024, 1_572_864, 2_147_483_648,
  ])
})
