import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { runFilter } from '../../plugin/testing.ts'
import { compilePattern } from '../../regex/pattern.ts'
import { builtInDefinitions, readDefinitions } from '../../user-agent/definitions.ts'
import { UserAgentParser } from '../../user-agent/parser.ts'
import { requiredTexts } from '../../user-agent/required-text.ts'
import { agentVersion, systemVersion } from '../../user-agent/version-text.ts'
import useragent from './useragent.ts'

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.11; rv:45.0) Gecko/20100101 Firefox/45.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 12_1_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1'
const xp = 'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0)'

describe('useragent', () => {
  it('sets the legacy fields with a prefix', async () => {
    const [fields] = await runFilter(useragent, { source: 'a', prefix: 'ua_', add_tag: ['ok'] }, [
      { a: phone },
    ])
    expect(fields).toEqual({
      a: phone,
      ua_name: 'Mobile Safari',
      ua_version: '12.0',
      ua_major: '12',
      ua_minor: '0',
      ua_os: 'iOS',
      ua_os_name: 'iOS',
      ua_os_version: '12.1.4',
      ua_os_full: 'iOS 12.1.4',
      ua_os_major: '12',
      ua_os_minor: '1',
      ua_os_patch: '4',
      ua_device: 'iPhone',
      tags: ['ok'],
    })
  })

  it('sets the fields of the schema, and numbers in the metadata', async () => {
    const [fields] = await runFilter(useragent, { source: 'a' }, [{ a: firefox }], { ecs: 'v8' })
    expect(fields).toEqual({
      a: firefox,
      user_agent: {
        name: 'Firefox',
        version: '45.0',
        os: { name: 'Mac OS X', version: '10.11', full: 'Mac OS X 10.11' },
        device: { name: 'Mac' },
      },
      '@metadata': {
        filter: {
          user_agent: {
            version: { major: '45', minor: '0' },
            os: { version: { major: '10', minor: '11' } },
          },
        },
      },
    })
  })

  it('replaces the source when it is the target', async () => {
    const [fields] = await runFilter(useragent, { source: 'a', target: 'a' }, [{ a: [xp, 'x'] }])
    expect(fields?.['a']).toMatchObject({ name: 'IE', version: '8.0', os_full: 'Windows XP', os_major: 'XP' })
  })

  it('passes events without a user agent', async () => {
    const events = [{}, { a: '' }, { a: null }, { a: [] }, { a: 5 }]
    expect(await runFilter(useragent, { source: 'a', add_tag: ['ok'] }, events)).toEqual(events)
  })

  it('reads a text again once it is forgotten', async () => {
    const parse = vi.spyOn(UserAgentParser.prototype, 'parse')
    const countFor = async (lru_cache_size: number) => {
      parse.mockClear()
      const events = ['curl/7.1', 'curl/7.2', 'curl/7.1', 'curl/7.1'].map((a) => ({ a }))
      const result = await runFilter(useragent, { source: 'a', lru_cache_size }, events)
      expect(result.map(({ minor }) => minor)).toEqual(['1', '2', '1', '1'])
      return parse.mock.calls.length
    }
    expect([await countFor(1), await countFor(2)]).toEqual([3, 2])
    parse.mockRestore()
  })

  it('takes other expressions, in any YAML', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'useragent-'))
    try {
      const path = join(folder, 'regexes.yaml')
      writeFileSync(
        path,
        'user_agent_parsers:\n  - {regex: "(me)/(\\\\d+)", family_replacement: "It is $1"}\nos_parsers: []\ndevice_parsers: []\n',
      )
      const [fields] = await runFilter(useragent, { source: 'a', regexes: path }, [{ a: 'me/7' }])
      expect(fields).toMatchObject({
        name: 'It is me',
        major: '7',
        version: '7',
        os: 'Other',
        device: 'Other',
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('versions', () => {
  const none = { family: 'x', major: undefined, minor: undefined, patch: undefined, patchMinor: undefined }

  it('of browsers read a fourth number from the text', () => {
    const three = { ...none, major: '70', minor: '0', patch: '3538' }
    expect(agentVersion(three, 'Chrome/70.0.3538.102 Safari')).toBe('70.0.3538.102')
    expect(agentVersion(three, 'Chrome/70.0.3538 Safari')).toBe('70.0.3538')
    expect(agentVersion({ ...three, patchMinor: '9' }, '')).toBe('70.0.3538.9')
    expect(agentVersion(none, '')).toBeUndefined()
  })

  it('of systems are numbers or words', () => {
    expect(systemVersion({ ...none, major: '10', minor: '15', patch: '7' })).toBe('10.15.7')
    expect(systemVersion({ ...none, major: 'Vista', minor: 'SP1' })).toBe('Vista SP1')
    expect(systemVersion(none)).toBeUndefined()
  })
})

describe('required texts', () => {
  it.each<[string, string[][]]>([
    ['(GeoEvent Server) (\\d+)', [['GeoEvent Server ']]],
    ['(Chrome|CriOS)/(\\d+)', [['Chrome', 'CriOS'], ['/']]],
    ['ab?c+d', [['a'], ['c'], ['d']]],
    ['(?:x|)yz', [['yz']]],
    ['a|b', [['a', 'b']]],
    ['a.bc|def', [['bc', 'def']]],
    ['; (One|Two)[^;]{0,9};.{1,200}(Build)', [['Build'], ['One', 'Two'], ['; '], [';']]],
    ['a\\.b', [['a.b']]],
    ['[ab]cd', [['cd']]],
    ['(?i)abc', []],
    ['(?!no)yes', [['yes']]],
    ['x{0,2}ab', [['ab']]],
    ['(abc){2}', [['abc']]],
    ['.*', []],
    ['a(', []],
  ])('of %j', (source, expected) => {
    expect(requiredTexts(source)).toEqual(expected)
  })
})

describe('the built-in expressions', () => {
  it('all compile, and are never ruled out where they match', async () => {
    const definitions = await readDefinitions(builtInDefinitions())
    const lists = Object.values(definitions).flat()
    expect(lists.length).toBeGreaterThan(1000)
    const parser = new UserAgentParser(definitions)
    for (const text of [
      firefox,
      phone,
      xp,
      '',
      'curl/7.64.1',
      'Googlebot/2.1 (+http://www.google.com/bot.html)',
    ]) {
      for (const definition of lists) {
        const pattern = compilePattern(definition['regex']!, { ignoreCase: definition['regex_flag'] === 'i' })
        const required = requiredTexts(definition['regex']!)
        if (required.length === 0 || !pattern.test(text)) continue
        const lower = text.toLowerCase()
        expect(required.every((any) => any.some((one) => lower.includes(one.toLowerCase())))).toBe(true)
      }
      expect(parser.parse(text)).toBeDefined()
    }
    expect(parser.parse('curl/7.64.1').agent).toMatchObject({
      family: 'curl',
      major: '7',
      minor: '64',
      patch: '1',
    })
  })
})
