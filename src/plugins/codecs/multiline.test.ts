import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { codecFor, decodeWith, type TestOptions } from '../../plugin/testing.ts'
import multiline from './multiline.ts'

const messages = (options: TestOptions, chunks: string | string[]) =>
  decodeWith(codecFor(multiline, options), chunks).map(({ message }) => message)

describe('multiline', () => {
  it('takes grok names, and begins events at lines that match when negated', () => {
    const options = { pattern: '^%{TIMESTAMP_ISO8601} ', negate: true, what: 'previous' }
    const text = '2026-01-01T00:00:00Z a\nmore\nand more\n2026-01-01T00:00:01Z b\n'
    expect(messages(options, text)).toEqual([
      '2026-01-01T00:00:00Z a\nmore\nand more',
      '2026-01-01T00:00:01Z b',
    ])
  })

  it('reads patterns of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-multiline-'))
    await writeFile(join(folder, 'own'), 'BEGIN >>\n')
    const options = { pattern: '^%{BEGIN}', negate: true, what: 'previous', patterns_dir: folder }
    expect(messages(options, '>> a\nb\n>> c')).toEqual(['>> a\nb', '>> c'])
  })

  it('reads other charsets', () => {
    const codec = codecFor(multiline, { pattern: '^ ', what: 'previous', charset: 'ISO-8859-1' })
    const bytes = Buffer.from('caf\xe9\n \xe0 la\n', 'latin1')
    expect(decodeWith(codec, bytes)).toEqual([{ message: 'café\n à la', tags: ['multiline'] }])
  })

  it('joins lines across chunks, and passes over blank ones', () => {
    const options = { pattern: '^\\s', what: 'previous' }
    expect(messages(options, ['a\n', ' b', 'b\n\n', ' c\nd'])).toEqual(['a\n bb\n c', 'd'])
  })

  it('lets an event go that has too many lines or bytes', () => {
    const lines = decodeWith(
      codecFor(multiline, { pattern: '^ ', what: 'previous', max_lines: 2 }),
      'a\n b\n c\n d\n e\n',
    )
    expect(lines).toEqual([
      { message: 'a\n b\n c', tags: ['multiline', 'multiline_codec_max_lines_reached'] },
      { message: ' d\n e', tags: ['multiline'] },
    ])
    const bytes = decodeWith(
      codecFor(multiline, { pattern: '^ ', what: 'previous', max_bytes: 4, multiline_tag: '' }),
      'ab\n cd\n e\n',
    )
    expect(bytes).toEqual([
      { message: 'ab\n cd', tags: ['multiline_codec_max_bytes_reached'] },
      { message: ' e' },
    ])
  })

  it('asks to be flushed after auto_flush_interval without a line', () => {
    const options = { pattern: '^ ', what: 'previous' }
    expect(codecFor(multiline, options).decoder!().idleMilliseconds).toBeUndefined()
    const decoder = codecFor(multiline, { ...options, auto_flush_interval: 2 }).decoder!()
    expect(decoder.idleMilliseconds).toBe(2000)
  })

  it('keeps streams apart, and the time of the first line', () => {
    const codec = codecFor(multiline, { pattern: '^ ', what: 'previous' }, { ecs: 'v8' })
    const one = codec.decoder!()
    const two = codec.decoder!()
    const events: [string, unknown][] = []
    const emit = (name: string) => (event: { toHash(): Record<string, unknown> }) => {
      events.push([name, event.toHash()])
    }
    const [early, late] = [new Timestamp(1000), new Timestamp(2000)]
    one.decode!('a', emit('one'), early)
    two.decode!('x', emit('two'), early)
    one.decode!(' b', emit('one'), late)
    two.flush(emit('two'), late)
    one.flush(emit('one'), late)
    expect(events).toEqual([
      ['two', { '@timestamp': early, '@version': '1', message: 'x', event: { original: 'x' } }],
      [
        'one',
        {
          '@timestamp': early,
          '@version': '1',
          message: 'a\n b',
          event: { original: 'a\n b' },
          tags: ['multiline'],
        },
      ],
    ])
  })

  it('loses no line, however the stream is cut', () => {
    const line = fc.stringMatching(/^[ ab]{1,4}$/)
    fc.assert(
      fc.property(fc.array(line), fc.nat({ max: 40 }), fc.boolean(), (lines, cut, next) => {
        const text = lines.map((one) => `${one}\n`).join('')
        const options = { pattern: '^ ', what: next ? 'next' : 'previous' }
        expect(messages(options, [text.slice(0, cut), text.slice(cut)]).join('\n')).toBe(lines.join('\n'))
      }),
    )
  })
})
