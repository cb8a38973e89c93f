/**
 * The patterns of firewalls, backup and monitoring systems, databases, Ruby programs and proxies: rows seen
 * on Ruby's engine where the collection is at hand, own rows for the formats most in use always.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compilePattern, type Pattern } from '../../regex/pattern.ts'
import { expandGrok } from '../expand.ts'
import { ciscoExamples, firewallExamples } from './device-examples.ts'
import { bacula as ecsBacula } from './ecs/bacula.ts'
import { firewalls as ecsFirewalls } from './ecs/firewalls.ts'
import { grokPatterns as ecsCore } from './ecs/grok-patterns.ts'
import { junos as ecsJunos } from './ecs/junos.ts'
import { mcollective as ecsMcollective } from './ecs/mcollective.ts'
import { mongodb as ecsMongodb } from './ecs/mongodb.ts'
import { nagios as ecsNagios } from './ecs/nagios.ts'
import { postgresql as ecsPostgresql } from './ecs/postgresql.ts'
import { rails as ecsRails } from './ecs/rails.ts'
import { redis as ecsRedis } from './ecs/redis.ts'
import { ruby as ecsRuby } from './ecs/ruby.ts'
import { squid as ecsSquid } from './ecs/squid.ts'
import type { Example } from './example.ts'
import type { PatternSet } from './index.ts'
import { bacula } from './legacy/bacula.ts'
import { firewalls } from './legacy/firewalls.ts'
import { grokPatterns as core } from './legacy/grok-patterns.ts'
import { junos } from './legacy/junos.ts'
import { mcollective } from './legacy/mcollective.ts'
import { mongodb } from './legacy/mongodb.ts'
import { nagios } from './legacy/nagios.ts'
import { postgresql } from './legacy/postgresql.ts'
import { rails } from './legacy/rails.ts'
import { redis } from './legacy/redis.ts'
import { ruby } from './legacy/ruby.ts'
import { squid } from './legacy/squid.ts'
import { monitoringExamples, serviceExamples } from './service-examples.ts'
import { maven } from './shared/maven.ts'

/** Field, cast, text. */
type Capture = [string, string | null, string]

interface Row {
  set: PatternSet
  pattern: string
  line: string
  match: string | null
  captures?: Capture[]
}

const topics = {
  legacy: {
    bacula,
    firewalls,
    junos,
    maven,
    mcollective,
    mongodb,
    nagios,
    postgresql,
    rails,
    redis,
    ruby,
    squid,
  },
  'ecs-v1': {
    bacula: ecsBacula,
    firewalls: ecsFirewalls,
    junos: ecsJunos,
    maven,
    mcollective: ecsMcollective,
    mongodb: ecsMongodb,
    nagios: ecsNagios,
    postgresql: ecsPostgresql,
    rails: ecsRails,
    redis: ecsRedis,
    ruby: ecsRuby,
    squid: ecsSquid,
  },
} satisfies Record<PatternSet, Record<string, Record<string, string>>>

const sets: PatternSet[] = ['legacy', 'ecs-v1']
const own = {
  legacy: new Map(Object.values(topics.legacy).flatMap((topic) => Object.entries(topic))),
  'ecs-v1': new Map(Object.values(topics['ecs-v1']).flatMap((topic) => Object.entries(topic))),
}
const definitions = {
  legacy: new Map([...Object.entries(core), ...own.legacy]),
  'ecs-v1': new Map([...Object.entries(ecsCore), ...own['ecs-v1']]),
}

const compiled = new Map<string, Pattern>()

function compile(set: PatternSet, expression: string): Pattern {
  const key = `${set} ${expression}`
  let pattern = compiled.get(key)
  if (pattern === undefined) {
    pattern = compilePattern(expandGrok(expression, definitions[set]), { multiline: true })
    compiled.set(key, pattern)
  }
  return pattern
}

/** What the search stores: text of the match and the captures that are not empty, by field and cast. */
function run(set: PatternSet, expression: string, line: string) {
  const pattern = compile(set, expression)
  const match = pattern.exec(line)
  if (match === null) return { match: null, captures: [] }
  const captures: Capture[] = []
  for (const [name, numbers] of pattern.names) {
    const [first, second, cast] = name.split(':')
    for (const number of numbers) {
      const text = match.groups[number]
      if (text) captures.push([second ?? first!, cast ?? null, text])
    }
  }
  return { match: match.groups[0], captures: sorted(captures) }
}

const sorted = (captures: Capture[]) => captures.map((capture) => capture.join(' | ')).sort()

const file = new URL('../../../../shared/conformance/grok-golden.json', import.meta.url)

describe.skipIf(!existsSync(file))('rows seen on Ruby (skipped where the collection is missing)', () => {
  const { rows } = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] })
    : { rows: [] }
  for (const set of sets) {
    for (const [topic, patterns] of Object.entries(topics[set])) {
      it(`${set}: ${topic}`, () => {
        const mine = rows.filter((row) => row.set === set && Object.hasOwn(patterns, row.pattern))
        expect(mine.length).toBeGreaterThan(0)
        for (const row of mine) {
          expect(run(set, `%{${row.pattern}}`, row.line), `${row.pattern} ${row.line}`).toEqual({
            match: row.match,
            captures: sorted(row.captures ?? []),
          })
        }
      })
    }
  }
})

describe('the names', () => {
  const counts: [topic: keyof typeof topics.legacy, legacy: number, ecs: number][] = [
    ['bacula', 47, 48],
    ['firewalls', 46, 58],
    ['junos', 4, 5],
    ['maven', 1, 1],
    ['mcollective', 2, 2],
    ['mongodb', 7, 7],
    ['nagios', 61, 61],
    ['postgresql', 1, 1],
    ['rails', 7, 7],
    ['redis', 3, 3],
    ['ruby', 2, 2],
    ['squid', 1, 2],
  ]
  it.each(counts)('%s', (topic, legacyCount, ecsCount) => {
    expect(Object.keys(topics.legacy[topic])).toHaveLength(legacyCount)
    expect(Object.keys(topics['ecs-v1'][topic])).toHaveLength(ecsCount)
    expect(Object.keys(topics['ecs-v1'][topic])).toEqual(
      expect.arrayContaining(Object.keys(topics.legacy[topic])),
    )
  })
})

describe.each(sets)('the definitions of %s', (set) => {
  it('compile, exactly and without a search that could explode', () => {
    for (const name of own[set].keys()) {
      const pattern = compile(set, `%{${name}}`)
      expect(pattern.notes, name).toEqual([])
      expect(pattern.dangers, name).toEqual([])
    }
  })
})

function check([set, pattern, line, fields]: Example): void {
  const found = run(set, `%{${pattern}}`, line)
  expect(found.match, line).not.toBeNull()
  const expected = Object.entries(fields).map(([field, text]): Capture => {
    const [name, cast] = field.split(':')
    return [name!, cast ?? null, text]
  })
  expect(found.captures).toEqual(sorted(expected))
}

describe('examples', () => {
  it.each([...ciscoExamples, ...firewallExamples, ...monitoringExamples, ...serviceExamples])(
    '%s %s',
    (...example) => check(example),
  )

  it.each([
    ['built 1.2.3-SNAPSHOT today', '1.2.3-SNAPSHOT'],
    ['2.*', '2.*'],
    ['4.1.2.5', '4.1.2'],
  ])('a Maven version in %s', (text, version) => {
    expect(run('legacy', '%{MAVEN_VERSION}', text).match).toBe(version)
  })
})
