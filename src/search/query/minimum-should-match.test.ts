import { describe, expect, it } from 'vitest'
import { minimumShouldMatch } from './minimum-should-match.ts'

describe('minimum_should_match', () => {
  it.each([
    [5, '3', 3],
    [5, 3, 3],
    [5, '-2', 3],
    [5, '-7', 0],
    [2, '3', 3],
    [4, '75%', 3],
    [5, '75%', 3],
    [4, '-25%', 3],
    [5, '-25%', 4],
    [3, '3<90%', 3],
    [4, '3<90%', 3],
    [2, '2<-25% 9<-3', 2],
    [9, '2<-25% 9<-3', 7],
    [10, '2<-25% 9<-3', 7],
    [4, '3<90% 5<-1', 3],
    [6, '3<90% 5<-1', 5],
    [6, ' 3 < 90%   5< -1 ', 5],
    [0, '100%', 0],
    [3, '100%', 3],
  ])('%i optional, %s', (optional, specification, expected) => {
    expect(minimumShouldMatch(optional, specification)).toBe(expected)
  })

  it.each(['abc', '', '2<', '%', '1.5', '75%x'])('refuses %s', (specification) => {
    expect(() => minimumShouldMatch(3, specification)).toThrow(/^For input string: "/)
  })
})
