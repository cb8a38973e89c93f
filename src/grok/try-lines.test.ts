import { expect, it } from 'vitest'
import { tryLines } from './try-lines.ts'

const none = new Map<string, string>()
const request = (expression: string, ...lines: string[]) => ({
  expression,
  lines,
  set: 'legacy' as const,
  definitions: none,
})

it('says what each capture took, where, and what it is cast to', () => {
  const { lines } = tryLines(request('%{IP:client} %{INT:status:int}', 'from 192.0.2.1 404 end'))
  expect(lines).toMatchObject([
    {
      kind: 'match',
      start: 5,
      end: 18,
      captures: [
        { field: 'client', cast: null, text: '192.0.2.1', start: 5, end: 14 },
        { field: 'status', cast: 'int', text: '404', start: 15, end: 18 },
      ],
    },
  ])
})

it('names the piece that fails and what stands there', () => {
  const { lines } = tryLines(request('%{WORD:verb} %{INT:status} %{WORD:rest}', 'GET abc more'))
  expect(lines[0]).toMatchObject({ kind: 'failure', stop: 4 })
  expect(lines[0]).toHaveProperty('failed', expect.arrayContaining([expect.stringContaining('INT')]))
})

it('takes patterns of one’s own before those of the library', () => {
  const definitions = new Map([['WORD', '[xyz]+']])
  const { lines } = tryLines({ ...request('^%{WORD:w}$', 'xyz', 'abc'), definitions })
  expect(lines.map(({ kind }) => kind)).toEqual(['match', 'failure'])
})

it('refuses what cannot be compiled', () => {
  expect(() => tryLines(request('%{NO_SUCH:x}', 'a'))).toThrow(/NO_SUCH/)
  expect(() => tryLines(request('(', 'a'))).toThrow()
})

it('stops when its time is over and says which lines it did not reach', () => {
  let clock = 0
  const { lines } = tryLines(request('a', 'a', 'a', 'a'), () => (clock += 1500))
  expect(lines.map(({ kind }) => kind)).toContain('skipped')
})

it('warns of patterns that can run away', () => {
  expect(tryLines(request('^(\\d+)*x', 'a')).dangers.some(({ exponential }) => exponential)).toBe(true)
  expect(tryLines(request('%{IP:client}', 'a')).dangers).toEqual([])
})
