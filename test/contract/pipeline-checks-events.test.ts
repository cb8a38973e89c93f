/**
 * The black-box checks of the specification, numbers 12 to 21: templates, reserved fields, common options,
 * numbers that keep their type.
 */
import { describe, expect, it } from 'vitest'
import { IN, type Json, jsonLines, OUT, run } from '../support/millrace.ts'

async function mutated(options: string, stdin: string): Promise<Json[]> {
  const { events, code } = await run({ config: `${IN} filter { mutate { ${options} } } ${OUT}`, stdin })
  expect(code).toBe(0)
  return events
}

describe('events', () => {
  it('12: every kind of value in a template', async () => {
    const events = await mutated(
      'add_field => { "x" => "%{l};%{h};%{f};%{b};%{nope};%{z}" }',
      '{"l":["a",null,["b",1]],"h":{"k":1},"f":3.0,"b":true,"z":null}\n',
    )
    expect(events).toMatchObject([{ x: 'a,,b,1;{"k":1};3.0;true;%{nope};%{z}' }])
  })

  it('13: dates in templates', async () => {
    const time = '2015-10-01T05:06:07.089Z'
    const events = await mutated(
      'add_field => { "x" => "%{+YYYY.MM.dd} %{{yyyy-MM-dd HH:mm}} %{+%s}" }',
      jsonLines({ '@timestamp': time }),
    )
    expect(events).toMatchObject([{ x: '2015.10.01 2015-10-01 05:06 1443675967', '@timestamp': time }])
  })

  it('14: a bad @timestamp is kept aside and tagged', async () => {
    const { events } = await run({ config: `${IN} ${OUT}`, stdin: jsonLines({ '@timestamp': 'garbage' }) })
    expect(events).toMatchObject([{ tags: ['_timestampparsefailure'], '_@timestamp': 'garbage' }])
  })

  it('15: bad tags are kept aside and tagged', async () => {
    const { events } = await run({ config: `${IN} ${OUT}`, stdin: jsonLines({ tags: { a: 1 } }) })
    expect(events).toMatchObject([{ tags: ['_tagsparsefailure'], _tags: [{ a: 1 }] }])
  })

  it('16: @metadata travels along and is never written', async () => {
    const config = `${IN} filter {
      mutate { add_field => { "[@metadata][k]" => "v" } }
      mutate { add_field => { "x" => "%{[@metadata][k]}" } }
    } ${OUT}`
    const { events } = await run({ config, stdin: jsonLines({}) })
    expect(events).toMatchObject([{ x: 'v' }])
    expect(events[0]).not.toHaveProperty('@metadata')
  })

  it('17: add_field on an existing field makes a list', async () => {
    const events = await mutated('add_field => { "n" => "new" }', jsonLines({ n: 5 }, { n: ['a'] }, {}))
    expect(events).toMatchObject([{ n: [5, 'new'] }, { n: ['a', 'new'] }, { n: 'new' }])
  })

  it('18: common options run in their fixed order', async () => {
    const events = await mutated(
      'add_field => { "t" => "1" } remove_field => ["t","[a][b]"] add_tag => ["x","y"] remove_tag => ["y"]',
      jsonLines({ a: { b: 1 }, tags: ['x'] }),
    )
    expect(events).toMatchObject([{ a: {}, tags: ['x', 'x'] }])
    expect(events[0]!['a']).toEqual({})
    expect(events[0]).not.toHaveProperty('t')
  })

  it('19: remove_tag leaves an empty list, and no list where none was', async () => {
    const events = await mutated('remove_tag => ["x"]', jsonLines({ tags: ['x'] }, {}))
    expect(events).toHaveLength(2)
    expect(events[0]!['tags']).toEqual([])
    expect(events[1]).not.toHaveProperty('tags')
  })

  it('20: numbers leave as they came', async () => {
    const stdin = '{"f":1.0,"g":1.5,"n":12345678901234567890,"i":1}\n'
    // Once untouched, once rewritten: the text may take different ways out.
    const configs = [`${IN} ${OUT}`, `${IN} filter { mutate { add_tag => ["touched"] } } ${OUT}`]
    for (const { lines } of await Promise.all(configs.map((config) => run({ config, stdin })))) {
      expect(lines).toHaveLength(1)
      for (const member of [/"f":1\.0[,}]/, /"g":1\.5[,}]/, /"n":12345678901234567890[,}]/, /"i":1[,}]/]) {
        expect(lines[0]).toMatch(member)
      }
    }
  })

  it('21: type only where there is none, then add_field and tags of the input', async () => {
    const config = `input { stdin { codec => json_lines type => "t" tags => ["g"] add_field => { "z" => "%{m}" } } } ${OUT}`
    const { events } = await run({ config, stdin: jsonLines({ type: 'own', m: 'q' }, { m: 'q' }) })
    expect(events).toMatchObject([
      { type: 'own', tags: ['g'], z: 'q' },
      { type: 't', tags: ['g'], z: 'q' },
    ])
  })
})
