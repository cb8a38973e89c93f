import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import type { Fields } from '../../event/value.ts'
import type { BranchNode } from '../../lang/ast.ts'
import { parse } from '../../lang/parser.ts'
import { loadPatterns } from '../../regex/late-pattern.ts'
import { environmentLookup, substituteConditionString } from '../../settings/substitution.ts'
import { CodeScope } from './code-scope.ts'
import { type ConditionOptions, compileCondition } from './condition-compile.ts'

interface Row {
  expr: string
  event: string
  result: boolean | 'eval_error' | 'config_error' | 'crash'
}

const golden = JSON.parse(readFileSync('test/data/pipeline-golden.json', 'utf8')) as { conditions: Row[] }
const lookup = environmentLookup({})

beforeAll(loadPatterns)

const options: ConditionOptions = {
  mode: 'logstash',
  supportEscapes: false,
  substitute: (text) => substituteConditionString(text, lookup),
}

function evaluate(expression: string, event: Event, more: Partial<ConditionOptions> = {}): boolean {
  const config = parse(`filter { if ${expression} { } }`)
  const branch = config.sections[0]!.body[0] as BranchNode
  const scope = new CodeScope()
  const { source } = compileCondition(branch.cases[0]!.condition, scope, { ...options, ...more })
  return scope.compile<(e: Event) => boolean>(
    `return function (e) { let t; return ${source}; }`,
    'test',
  )(event)
}

function outcome({ expr, event: text }: Row): Row['result'] {
  const event = Event.from(parseJson(text) as Fields)
  const quiet = Event.from({})
  try {
    evaluate(expr, quiet)
  } catch (error) {
    if ((error as Error).name !== 'ConditionError') return 'config_error'
  }
  try {
    return evaluate(expr, event)
  } catch (error) {
    return (error as Error).name === 'ConditionError' ? 'eval_error' : 'config_error'
  }
}

describe('conditions observed on Logstash', () => {
  it.each(golden.conditions)('$expr on $event is $result', (row) => {
    const result = outcome(row)
    // Where Logstash crashes, the event must be false or dropped and nothing may stop.
    if (row.result === 'crash') expect([false, 'eval_error']).toContain(result)
    else expect(result).toBe(row.result)
  })
})

describe('field names that objects inherit', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '[%s] is missing unless the event has it',
    (name) => {
      expect(evaluate(`[${name}]`, Event.from({}))).toBe(false)
      expect(evaluate(`[${name}] == "x"`, Event.from(parseJson(`{"${name}":"x"}`) as Fields))).toBe(true)
      expect(evaluate(`[a][${name}]`, Event.from({ a: {} }))).toBe(false)
    },
  )
})

describe('fixed conditions', () => {
  const fixed = { mode: 'fixed' } as const

  it('takes a one-element list as a list', () => {
    expect(evaluate('[a] in ["x"]', Event.from({ a: 'x' }))).toBe(false)
    expect(evaluate('[a] in ["x"]', Event.from({ a: 'x' }), fixed)).toBe(true)
  })

  it('binds and tighter than or throughout', () => {
    const event = Event.from({ d: 1 })
    expect(evaluate('[a] and [b] and [c] or [d]', event)).toBe(false)
    expect(evaluate('[a] and [b] and [c] or [d]', event, fixed)).toBe(true)
  })

  it('accepts xor among other operators', () => {
    expect(evaluate('[a] xor [b] or [c]', Event.from({ c: 1 }), fixed)).toBe(true)
  })
})
