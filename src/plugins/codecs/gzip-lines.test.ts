import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith } from '../../plugin/testing.ts'
import gzipLines from './gzip-lines.ts'

describe('gzip_lines', () => {
  it('makes an event of each line of all members', () => {
    const bytes = Buffer.concat([gzipSync('one\n\ntwo é\n'), gzipSync('three')])
    expect(decodeWith(codecFor(gzipLines), bytes)).toEqual([
      { message: 'one' },
      { message: '' },
      { message: 'two é' },
      { message: 'three' },
    ])
    expect(decodeWith(codecFor(gzipLines, { charset: 'ISO-8859-1' }), gzipSync(Buffer.from([0xe9])))).toEqual(
      [{ message: 'é' }],
    )
  })

  it('drops what is no gzip', () => {
    expect(decodeWith(codecFor(gzipLines), 'plain')).toEqual([])
    expect(decodeWith(codecFor(gzipLines), gzipSync('cut off').subarray(0, 12))).toEqual([])
  })
})
