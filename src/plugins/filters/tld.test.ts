import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFilter } from '../../plugin/testing.ts'
import { SuffixList } from './tld/suffix-list.ts'
import tld from './tld.ts'

const rules = '// a comment\ncom\nuk\nco.uk\n*.ck\n!www.ck\n'

describe('the parts of a name', () => {
  const list = new SuffixList(rules)

  it.each<[string, object | undefined]>([
    ['example.com', { tld: 'com', sld: 'example', trd: undefined }],
    ['a.b.example.co.uk', { tld: 'co.uk', sld: 'example', trd: 'a.b' }],
    ['Example.COM', { tld: 'com', sld: 'example', trd: undefined }],
    ['x.y.ck', { tld: 'y.ck', sld: 'x', trd: undefined }],
    ['a.www.ck', { tld: 'ck', sld: 'www', trd: 'a' }],
    ['com', undefined],
    ['y.ck', undefined],
    ['a.unknown', undefined],
    ['a..com', undefined],
    ['', undefined],
  ])('%j', (name, expected) => {
    expect(list.parse(name)).toEqual(expected)
  })

  it('without a list end in the last label', () => {
    expect(new SuffixList('').parse('a.b.c')).toEqual({ tld: 'c', sld: 'b', trd: 'a' })
  })
})

describe('tld', () => {
  it('stores them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tld-'))
    try {
      const path = join(folder, 'list.dat')
      writeFileSync(path, rules)
      const options = { source: 'h', target: 't', suffix_list: path, add_tag: ['ok'] }
      expect(await runFilter(tld, options, [{ h: 'example.co.uk' }, { h: 'co.uk' }, { h: 5 }])).toEqual([
        {
          h: 'example.co.uk',
          t: {
            tld: 'co.uk',
            sld: 'example',
            trd: null,
            domain: 'example.co.uk',
            subdomain: null,
            top_level_domain: 'co.uk',
          },
          tags: ['ok'],
        },
        { h: 'co.uk' },
        { h: 5 },
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
