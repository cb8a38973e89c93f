import { expect, it } from 'vitest'
import { Settings } from '../settings/settings.ts'
import { warningsOfIgnored } from './without-effect.ts'

const place = { home: '.', hostname: 'h', cores: 1, pathSettings: '.' }
const settingsWith = (value: boolean) =>
  new Settings(place, new Map([['ssl.reload.automatic', { value, source: 'file' }]]))

it('tells of a setting that was chosen and changes nothing', () => {
  expect(warningsOfIgnored(settingsWith(true))).toEqual([
    'The setting `ssl.reload.automatic` has no effect in this version.',
  ])
})

it('is silent about the default', () => {
  expect(warningsOfIgnored(settingsWith(false))).toEqual([])
})
