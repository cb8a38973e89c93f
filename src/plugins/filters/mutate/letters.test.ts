import { describe, expect, it } from 'vitest'
import { capitalize, downcase, upcase } from './letters.ts'

describe('letters', () => {
  it('changes letters of every alphabet', () => {
    expect(['АБВГД\0MMM', 'こにちわ', 'XyZółć', 'NÎcË GÛŸ'].map(downcase)).toEqual([
      'абвгд\0mmm',
      'こにちわ',
      'xyzółć',
      'nîcë gûÿ',
    ])
    expect(['аБвгд\0mmm', 'xYzółć', 'Nîcë gûÿ', 'straße'].map(upcase)).toEqual([
      'АБВГД\0MMM',
      'XYZÓŁĆ',
      'NÎCË GÛŸ',
      'STRASSE',
    ])
  })

  it('does not look at neighbours', () => {
    expect(downcase('ΑΣ')).toBe('ασ')
    expect(downcase('ας')).toBe('ας')
  })

  it('capitalizes the first letter and lowers the rest', () => {
    expect(['ExAmPlE', 'éCOLE', 'ßa', 'ǆX', 'ﬁX', '', '1aB', '🙂AB'].map(capitalize)).toEqual([
      'Example',
      'École',
      'Ssa',
      'ǅx',
      'Fix',
      '',
      '1ab',
      '🙂ab',
    ])
  })
})
