import { describe, expect, it } from 'vitest'
import { outputFor, testEvent } from '../../plugin/testing.ts'
import dots from '../codecs/dots.ts'
import rubydebug from '../codecs/rubydebug.ts'
import nothing from './null.ts'
import sink from './sink.ts'
import stdout from './stdout.ts'

describe('stdout', () => {
  it('prints rubydebug unless told otherwise, a block per batch', () => {
    const { instance, codecName } = outputFor(stdout, {}, { codecs: [rubydebug] })
    expect(codecName).toBe('rubydebug')
    const blocks = instance.encode!([testEvent({ a: 1 }), testEvent({ a: 2 })])
    expect(blocks).toHaveLength(1)
    expect(blocks[0]!.count).toBe(2)
    const text = Buffer.from(blocks[0]!.bytes).toString()
    expect(text.match(/^ +"a" => \d,$/gm)).toEqual(['             "a" => 1,', '             "a" => 2,'])
    expect(text.endsWith('}\n')).toBe(true)
  })

  it('takes a codec, and the old option debug without effect', () => {
    const { instance, codecName } = outputFor(stdout, { codec: 'dots', debug: true }, { codecs: [dots] })
    expect(codecName).toBe('dots')
    const [block] = instance.encode!([testEvent({ a: 1 }), testEvent({ a: 2 })])
    expect(Buffer.from(block!.bytes).toString()).toBe('..')
    expect(outputFor(stdout, { debug: true }).codecName).toBe('rubydebug')
  })
})

describe.each([nothing, sink])('$name', (definition) => {
  it('takes everything', async () => {
    await expect(outputFor(definition).deliver([{ a: 1 }])).resolves.toEqual([])
  })
})
