import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  environmentLookup,
  hasPlaceholder,
  substituteConditionString,
  substituteDocument,
  substituteId,
  substituteOptionValue,
  substituteSettingValue,
  type VariableLookup,
} from './substitution.ts'

const env = environmentLookup({
  HOST: 'es1',
  EMPTY: '',
  QUOTED: "'single'",
  DOUBLE: '"double"',
  BOTH: `'"both"'`,
  LIST: '["a", "b"]',
  NESTED: '${HOST}:9200',
  'dotted.name': 'dots',
})

const withSecret: VariableLookup = {
  secret: (name) => (name.toLowerCase() === 'host' ? 'from keystore' : undefined),
  environment: env.environment,
}

describe('plugin options', () => {
  it.each<[unknown, unknown]>([
    ['${HOST}', 'es1'],
    ['${HOST}:${PORT:9200}', 'es1:9200'],
    ['${NOPE:d}-1', 'd-1'],
    ['${NOPE:}', ''],
    ['${NOPE:http://a:1}', 'http://a:1'],
    ['${EMPTY}', ''],
    ['${EMPTY:default}', ''],
    ['${dotted.name}', 'dots'],
    ['$HOST ${} ${1A} ${A-B}', '$HOST ${} ${1A} ${A-B}'],
    ['%{field} stays', '%{field} stays'],
    [
      ['${HOST}', 'x${HOST}', 3, null],
      ['es1', 'xes1', 3, null],
    ],
    [{ '${HOST}': { deep: ['${HOST}!'] } }, { '${HOST}': { deep: ['es1!'] } }],
    [42, 42],
  ])('%j becomes %j', (value, result) => {
    expect(substituteOptionValue(value, env)).toEqual(result)
  })

  it('takes a whole value as it is', () => {
    expect(substituteOptionValue('${QUOTED}', env)).toBe("'single'")
    expect(substituteOptionValue('${LIST}', env)).toBe('["a", "b"]')
  })

  it('refines what the second pass replaced, and only that', () => {
    expect(substituteOptionValue("'${HOST}'", env)).toBe('es1')
    expect(substituteOptionValue(`'"\${HOST}"'`, env)).toBe('es1')
    expect(substituteOptionValue(`["\${HOST}", '\${PORT:1}' ,x]`, env)).toEqual(['es1', '1', 'x'])
    expect(substituteOptionValue('[field][name]', env)).toBe('[field][name]')
    expect(substituteOptionValue("'quoted'", env)).toBe("'quoted'")
    expect(substituteOptionValue('[${NOPE:}]', env)).toEqual([])
  })

  it('replaces what the first pass brought in', () => {
    expect(substituteOptionValue('${NESTED}', env)).toBe('es1:9200')
    expect(substituteOptionValue('x ${NESTED}', env)).toBe('x ${HOST}:9200')
  })

  it('asks the keystore first', () => {
    expect(substituteOptionValue(['${HOST}', '${HOST:x}', 'a${host}'], withSecret)).toEqual([
      'from keystore',
      'from keystore',
      'afrom keystore',
    ])
  })

  it('says what is not defined', () => {
    expect(() => substituteOptionValue('x ${MR_NOPE}', env)).toThrow(
      'Cannot evaluate `${MR_NOPE}`. Replacement variable `MR_NOPE` is not defined in a Logstash secret store or as an Environment entry and there is no default value given.',
    )
    expect(() => substituteOptionValue('${MR_NOPE}', env)).toThrow(
      'Cannot evaluate `${MR_NOPE}`. Replacement variable `MR_NOPE` is not defined in a Logstash secret store or an environment entry and there is no default value given.',
    )
  })

  it('does not find inherited names', () => {
    expect(() => substituteOptionValue('${constructor}', environmentLookup({}))).toThrow('is not defined')
    const value = JSON.parse('{"__proto__":"${HOST}"}')
    expect(JSON.stringify(substituteOptionValue(value, env))).toBe('{"__proto__":"es1"}')
  })

  it('leaves texts without a dollar brace alone and inserts values literally', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!text.includes('${')) expect(substituteOptionValue(text, env)).toBe(text)
        const lookup = environmentLookup({ V: text })
        expect(substituteDocument('<${V}>', lookup)).toBe(`<${text}>`)
      }),
    )
  })
})

describe('other places', () => {
  it('conditions replace whole literals only and keep strings', () => {
    expect(substituteConditionString('${HOST}', env)).toBe('es1')
    expect(substituteConditionString('${NOPE:5}', env)).toBe('5')
    expect(substituteConditionString('x${HOST}', env)).toBe('x${HOST}')
    expect(substituteConditionString('${HOST}${HOST}', env)).toBe('${HOST}${HOST}')
    expect(() => substituteConditionString('${MR_NOPE}', env)).toThrow(
      'secret store or an environment entry and',
    )
  })

  it('settings are refined', () => {
    expect(substituteSettingValue('${LIST}', env)).toEqual(['a', 'b'])
    expect(substituteSettingValue('${QUOTED}', env)).toBe('single')
    expect(substituteSettingValue('${DOUBLE}', env)).toBe('double')
    expect(substituteSettingValue('${BOTH}', env)).toBe('both')
    expect(substituteSettingValue(new Map([['a', '${HOST}']]), env)).toEqual(new Map([['a', 'es1']]))
  })

  it('pipelines.yml is replaced everywhere, comments of a config string included', () => {
    const entry = new Map([['config.string', '# ${HOST}\ninput { stdin { id => "${QUOTED}" } }']])
    expect(substituteDocument(entry, env)).toEqual(
      new Map([['config.string', `# es1\ninput { stdin { id => "'single'" } }`]]),
    )
    expect(() => substituteDocument('# ${NOPE}', env)).toThrow('Cannot evaluate `${NOPE}`')
  })

  it('ids never come from the keystore', () => {
    expect(substituteId('${HOST}', withSecret)).toBe('es1')
    expect(substituteId('my_${HOST}', withSecret)).toBe('my_${HOST}')
  })

  it('finds placeholders', () => {
    expect(hasPlaceholder(new Map<string, unknown>([['a', ['x', '${B}']]]))).toBe(true)
    expect(hasPlaceholder(['${', '$B', { '${K}': 1 }])).toBe(false)
  })
})
