import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { CodecInstance } from '../../plugin/define.ts'
import { codecFor, decodeWith } from '../../plugin/testing.ts'
import gzipLines from './gzip-lines.ts'

async function lines(codec: CodecInstance, payload: Uint8Array) {
  const pieces: Uint8Array[] = []
  for await (const piece of codec.unpack!(payload)) pieces.push(piece)
  return decodeWith(codec, Buffer.concat(pieces))
}

describe('gzip_lines', () => {
  it('makes an event of each line of all members', async () => {
    const bytes = Buffer.concat([gzipSync('one\n\ntwo é\n'), gzipSync('three')])
    expect(await lines(codecFor(gzipLines), bytes)).toEqual([
      { message: 'one' },
      { message: '' },
      { message: 'two é' },
      { message: 'three' },
    ])
    const latin = gzipSync(Buffer.from([0xe9]))
    expect(await lines(codecFor(gzipLines, { charset: 'ISO-8859-1' }), latin)).toEqual([{ message: 'é' }])
  })

  it('says what is wrong with what is no gzip', async () => {
    await expect(lines(codecFor(gzipLines), Buffer.from('plain'))).rejects.toThrow(/header/)
    await expect(lines(codecFor(gzipLines), gzipSync('cut off').subarray(0, 12))).rejects.toThrow(
      /end of file/,
    )
  })

  it('reads no more than some megabytes of what unpacks to very much', async () => {
    const bomb = gzipSync(Buffer.alloc(150 * 1024 * 1024, '\n'))
    let length = 0
    const read = async () => {
      for await (const piece of codecFor(gzipLines).unpack!(bomb)) length += piece.length
    }
    await expect(read()).rejects.toThrow(/unpacks to more/)
    expect(length).toBeLessThanOrEqual(32 * 1024 * 1024)
  })
})
