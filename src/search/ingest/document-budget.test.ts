/** Pipelines that multiply: each is refused, and the node answers others meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../api/search/testing.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
})

afterAll(() => node.close())

async function written(processors: unknown[], document: object) {
  const made = await node.ask('PUT', '/_ingest/pipeline/odd', { processors })
  expect(made.text).toBe('{"acknowledged":true}')
  return node.ask('PUT', '/a/_doc/1?pipeline=odd', document)
}

const foreach = (processor: object) => ({ foreach: { field: 'list', processor } })
const list = Array.from({ length: 1000 }, (_, i) => String(i))
const tooMany = 'the ingest pipelines of a document run more than [200000] processors'
const tooMuch = 'the ingest pipelines of a document make values of more than [104857600] characters'

describe('the budget of a document', () => {
  it('bounds loops inside of loops, also where failures are ignored', { timeout: 60_000 }, async () => {
    const loops = foreach(foreach({ append: { field: 'a', value: 'x', ignore_failure: true } }))
    const answer = await written([loops], { list })
    expect([answer.status, answer.at('error.reason')]).toEqual([400, tooMany])
    const handled = [{ ...foreach({ ...foreach({ set: { field: 'b', value: 1 } }) }) }]
    const onFailure = {
      foreach: { ...handled[0]!.foreach, ignore_failure: true, on_failure: [{ drop: {} }] },
    }
    expect((await written([onFailure], { list })).at('error.reason')).toBe(tooMany)
  })

  it('bounds pipelines that call the next one twice', { timeout: 60_000 }, async () => {
    await node.ask('PUT', '/_ingest/pipeline/p0', { processors: [{ set: { field: 'a', value: 1 } }] })
    for (let i = 1; i <= 30; i++) {
      const call = { pipeline: { name: `p${i - 1}` } }
      await node.ask('PUT', `/_ingest/pipeline/p${i}`, { processors: [call, call] })
    }
    const answer = await node.ask('PUT', '/a/_doc/1?pipeline=p30', { b: 1 })
    expect([answer.status, answer.at('error.reason')]).toEqual([400, tooMany])
  })

  it.each([
    ['a field that is copied into itself', { set: { field: 'm.{{n}}{{n}}', copy_from: 'm' } }],
    ['a text that is put into others', { append: { field: 'a', value: '{{{text}}}{{{text}}}' } }],
    ['a long separator', { join: { field: 'list', separator: 'x'.repeat(200_000), target_field: 'j' } }],
  ])('bounds %s', { timeout: 60_000 }, async (_, processor) => {
    const grown = [{ set: { field: 'n', value: '{{n}}x' } }, processor]
    const processors = Array.from({ length: 60 }, () => grown).flat()
    const answer = await written(processors, { m: { a: list }, text: 'y'.repeat(1_000_000), n: 'x', list })
    expect([answer.status, answer.at('error.reason')]).toEqual([400, tooMuch])
  })

  it('bounds what a verbose simulation shows of each step', { timeout: 60_000 }, async () => {
    const processors = Array.from({ length: 200 }, () => ({ set: { field: 'a', value: 1 } }))
    const docs = [{ _source: { text: 'y'.repeat(1_000_000) } }]
    const body = { pipeline: { processors }, docs }
    const answer = await node.ask('POST', '/_ingest/pipeline/_simulate?verbose=true', body)
    expect(answer.text.length).toBeLessThan(110_000_000)
  })

  it('is not met by a document of many elements', { timeout: 60_000 }, async () => {
    const many = Array.from({ length: 50_000 }, (_, i) => String(i))
    const answer = await written([foreach({ uppercase: { field: '_ingest._value' } })], { list: many })
    expect(answer.status).toBe(201)
  })
})
