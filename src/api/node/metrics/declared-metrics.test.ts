import { describe, expect, it } from 'vitest'
import { Board } from '../../../metrics/board.ts'
import { metricKey } from '../../../metrics/pipeline-keys.ts'
import { declaredMetrics } from './declared-metrics.ts'

function shown(metrics: Record<string, number>, facts?: Record<string, Record<string, number> | number>) {
  const names = Object.keys(metrics)
  const board = Board.create(
    names.map((name) => metricKey('p', name)),
    1,
  )
  for (const name of names) board.row(0)[board.column(metricKey('p', name))] = metrics[name]!
  return declaredMetrics({ id: 'p', metrics: names, ...(facts && { facts }) }, board)
}

describe('metrics a plugin declares', () => {
  it('nest at the dots of their names', () => {
    expect(shown({ matches: 3.7, 'documents.successes': 1, 'bulk_requests.responses.200': 4 })).toEqual({
      matches: 3,
      documents: { successes: 1 },
      bulk_requests: { responses: { '200': 4 } },
    })
  })

  it('are lists under ext only', () => {
    expect(shown({ 'ext.patterns.0.hits': 1, 'ext.patterns.1.hits': 2, 'own.0': 5 })).toEqual({
      ext: { patterns: [{ hits: 1 }, { hits: 2 }] },
      own: { '0': 5 },
    })
  })

  it('stand beside facts, whose names may be any field', () => {
    const fields = JSON.parse('{"0":1,"[log][file].name":2,"__proto__":3}') as Record<string, number>
    const body = shown({ matches: 0 }, { patterns_per_field: fields })
    expect(JSON.stringify(body)).toBe(
      '{"matches":0,"patterns_per_field":{"0":1,"[log][file].name":2,"__proto__":3}}',
    )
    expect(({} as Record<string, unknown>)['0']).toBeUndefined()
  })

  it('never make an object of what is a number', () => {
    expect(shown({ a: 1, 'a.b': 2, 'c.d': 3, c: 4 })).toEqual({ a: 1, c: { d: 3 } })
  })
})
