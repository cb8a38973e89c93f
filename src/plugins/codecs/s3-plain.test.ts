import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith, encodeWith } from '../../plugin/testing.ts'
import s3Plain from './s3-plain.ts'

describe('s3_plain codec', () => {
  it('writes date, source, tags, fields and message', () => {
    const time = '2014-01-02T03:04:05.678Z'
    const event = { '@timestamp': time, source: 'here', tags: ['a', 'b'], message: 'hello' }
    const [text] = encodeWith(codecFor(s3Plain), [event])
    const lines = text!.split('\n')
    expect(lines[0]).toBe(`Date: ${time}`)
    expect(lines[1]).toBe('Source: here')
    expect(lines[2]).toBe('Tags: a, b')
    expect(lines[3]).toMatch(/^Fields: \{.*"source"=>"here".*\}$/)
    expect(lines[4]).toBe('Message: hello')
    expect(lines).toHaveLength(5)
  })

  it('leaves empty what is missing', () => {
    const [text] = encodeWith(codecFor(s3Plain), [{}])
    expect(text).toMatch(/\nSource: \nTags: \n/)
    expect(text).toMatch(/\nMessage: $/)
  })

  it('cannot read', () => {
    expect(decodeWith(codecFor(s3Plain), 'x')).toEqual([])
  })
})
