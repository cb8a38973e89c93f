import { expect, test } from 'vitest'
import { packageConcern, startConcern } from './concern.ts'

test('what would fail at the start', () => {
  const refuse = () => {
    throw new Error('not so')
  }
  expect(startConcern('path', refuse)).toEqual([{ option: 'path', message: 'not so', fatal: true }])
  expect(startConcern('path', () => 'fine')).toEqual([])
})

test('packages that are not installed', () => {
  expect(packageConcern('hosts', 'millrace-no-such-package')).toEqual([
    {
      option: 'hosts',
      message: 'The package `millrace-no-such-package`, which this plugin needs, is not installed.',
      hint: 'npm install millrace-no-such-package',
    },
  ])
  expect(packageConcern('hosts', 'vitest')).toEqual([])
})
