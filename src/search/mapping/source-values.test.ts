import { describe, expect, it } from 'vitest'
import { Mapping } from './mapping.ts'
import { sourcePaths } from './source-values.ts'

describe('the source paths of a field', () => {
  it('are its own, that of the field above a multi-field, and those copied to it', () => {
    const mapping = Mapping.empty().merge({
      properties: {
        all: { type: 'text', fields: { raw: { type: 'keyword' } } },
        title: { type: 'text', copy_to: ['all', 'all'] },
        meta: { properties: { note: { type: 'keyword', copy_to: 'all' } } },
      },
    })
    const paths = (name: string, withCopies?: boolean) =>
      sourcePaths(mapping, mapping.field(name)!, withCopies)
    expect(paths('title')).toEqual(['title'])
    expect(paths('all')).toEqual(['all', 'title', 'meta.note'])
    expect(paths('all.raw')).toEqual(['all', 'title', 'meta.note'])
    expect(paths('all', false)).toEqual(['all'])
  })
})
