import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith } from '../../plugin/testing.ts'
import cloudfront from './cloudfront.ts'

const head = '#Version: 1.0\n#Fields: date time x-edge-location\n'

describe('cloudfront codec', () => {
  it('puts version and fields beside every line', () => {
    const facts = { cloudfront_version: '1.0', cloudfront_fields: 'date time x-edge-location' }
    expect(decodeWith(codecFor(cloudfront), gzipSync(`${head}a\tb\nc\td`))).toEqual([
      { message: 'a\tb\n', ...facts },
      { message: 'c\td', ...facts },
    ])
  })

  it('takes the first two lines away even where they say nothing', () => {
    expect(decodeWith(codecFor(cloudfront), gzipSync('one\ntwo\nthree\n'))).toEqual([
      { message: 'three\n', cloudfront_version: null, cloudfront_fields: null },
    ])
  })

  it('drops what is no gzip file, or unpacks to too much', () => {
    expect(decodeWith(codecFor(cloudfront), 'no gzip')).toEqual([])
    expect(decodeWith(codecFor(cloudfront), gzipSync(Buffer.alloc(65 * 1024 * 1024), { level: 1 }))).toEqual(
      [],
    )
  })
})
