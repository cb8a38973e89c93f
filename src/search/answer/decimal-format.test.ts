import { expect, it } from 'vitest'
import { decimalFormat } from './decimal-format.ts'

/** What OpenSearch 3.8 prints with Java's DecimalFormat. */
it.each<[format: string, value: number | bigint, text: string]>([
  ['0', -9223372036854775808n, '-9223372036854775808'],
  ['#,###', 9223372036854775807n, '9,223,372,036,854,775,807'],
  ['0.00', 9223372036854775807n, '9223372036854775807.00'],
  ['#,##0.00;(#,##0.00)', -98, '(98.00)'],
  ['0.00', 673435458353242.88, '673435458353242.90'],
  ['0.00', 2.675, '2.67'],
  ['0.00', 0.125, '0.12'],
  ['epoch_millis', 446.62820512820514, 'epoch_millis447'],
  ['epoch_millis', -99.99786578118801, '-epoch_millis100'],
  ['yyyy.MM', 446.62820512820514, 'yyyy447.MM'],
  ['HH:mm:ss.SSS', 446.62820512820514, 'HH:mm:ss447.SSS'],
])('%s prints %s as %s', (format, value, text) => {
  expect(decimalFormat(format)(value)).toBe(text)
})
