/**
 * The black-box checks of the specification, numbers 1 to 11: what a configuration text means, where it
 * comes from, and what is said when it cannot be loaded.
 */
import { describe, expect, it } from 'vitest'
import { IN, jsonLines, OUT, run } from '../support/millrace.ts'

const addField = (fields: string) => `${IN} filter { mutate { add_field => { ${fields} } } } ${OUT}`
const empty = jsonLines({})

describe('configuration language', () => {
  it('1: comments, several sections, barewords, no final newline', async () => {
    const config = `# c\n${IN} filter { mutate { add_tag => [ "a" ] } } # x\nfilter { mutate{add_tag=>b1} }\n${OUT} # end`
    const { events, code } = await run({ config, stdin: empty })
    expect(events).toMatchObject([{ tags: ['a', 'b1'] }])
    expect(code).toBe(0)
  })

  it('2: repeated hash options merge', async () => {
    const config = `${IN} filter { mutate { add_field => { "x" => "1" } add_field => { "x" => "2" "y" => "3" } } } ${OUT}`
    const { events } = await run({ config, stdin: empty })
    expect(events).toMatchObject([{ x: ['1', '2'], y: '3' }])
  })

  it('3: duplicate keys in one hash are refused', async () => {
    const { code, stdout } = await run({ config: addField('"x" => "1" "x" => "2"'), args: ['-t'] })
    expect(code).toBe(1)
    expect(stdout).toContain('Duplicate keys found in your configuration: ["x"]')
  })

  it('4: a syntax error says what was expected, where, and after what', async () => {
    const { code, stdout } = await run({
      config: 'input {\n  stdin {\n    codec "json"\n  }\n}\n',
      args: ['-t'],
    })
    expect(code).toBe(1)
    expect(stdout).toContain(
      'Expected one of [ \\t\\r\\n], "#", "=>" at line 3, column 11 (byte 29) after input {',
    )
  })

  it('5: -t accepts a good configuration', async () => {
    const { code, stdout } = await run({ config: `${IN} ${OUT}`, args: ['-t'] })
    expect(code).toBe(0)
    expect(stdout).toContain('Configuration OK')
  })

  it('6: escapes stay as written', async () => {
    const { events } = await run({ config: addField(String.raw`"x" => "a\tb\"c"`), stdin: empty })
    expect(events).toMatchObject([{ x: String.raw`a\tb\"c` }])
  })

  it('7: config.support_escapes gives escapes their meaning', async () => {
    const { events } = await run({
      config: addField(String.raw`"x" => "a\tb\"c"`),
      settings: 'config.support_escapes: true\n',
      stdin: empty,
    })
    expect(events).toMatchObject([{ x: 'a\tb"c' }])
  })

  it('8: ${VAR:default} takes the variable, or the default', async () => {
    const config = addField('"x" => "${MR_T:d}-1"')
    const [without, withValue] = await Promise.all([
      run({ config, stdin: empty }),
      run({ config, stdin: empty, env: { MR_T: 'v' } }),
    ])
    expect(without.events).toMatchObject([{ x: 'd-1' }])
    expect(withValue.events).toMatchObject([{ x: 'v-1' }])
  })

  it('9: an undefined ${VAR} is refused', async () => {
    const { code, stdout, events } = await run({ config: addField('"x" => "${MR_NOPE}"'), stdin: empty })
    expect(code).toBe(1)
    expect(events).toEqual([])
    expect(stdout).toContain('Cannot evaluate `${MR_NOPE}`. Replacement variable `MR_NOPE` is not defined')
  })

  it('10: octal numbers, nested references as keys', async () => {
    const { events } = await run({ config: addField('"x" => 010 "[a][b]" => "n"'), stdin: empty })
    expect(events).toMatchObject([{ x: '8', a: { b: 'n' } }])
  })

  it('11: the files of a folder are one pipeline, in the order of their names', async () => {
    const tag = (name: string) => `filter { mutate { add_tag => ["${name}"] } }`
    const { events } = await run({
      config: { '20.conf': `${tag('two')}\n${OUT}\n`, '10.conf': `${IN}\n${tag('one')}\n` },
      stdin: empty,
    })
    expect(events).toMatchObject([{ tags: ['one', 'two'] }])
  })
})
