import { describe, expect, it } from 'vitest'
import { type Diagnostic, renderDiagnostic, renderFrame } from './diagnostic.ts'

const at = (line: number, column: number, more: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'error',
  code: 'syntax',
  message: 'Expected something',
  line,
  column,
  ...more,
})

describe('renderFrame', () => {
  it('shows the file, the line and a caret', () => {
    expect(renderFrame(at(2, 3, { hint: 'try again' }), 'a\nb c d\ne', 'main.conf')).toBe(
      ['  --> main.conf:2:3', '   |', ' 2 | b c d', '   |   ^', '  hint: try again'].join('\n'),
    )
  })

  it('marks a whole range, but not past its line', () => {
    const text = 'filter {\n  drop {\n}'
    expect(renderFrame(at(2, 3, { start: 11, end: 15 }), text, 'f')).toContain('\n   |   ^^^^')
    expect(
      renderFrame(at(2, 3, { start: 11, end: text.length }), text, 'f').endsWith('\n   |   ^^^^^^'),
    ).toBe(true)
  })

  it('widens the gutter with the line number', () => {
    const frame = renderFrame(at(123, 1), '\n'.repeat(122).concat('x'), 'f').split('\n')
    expect(frame.slice(1)).toEqual(['     |', ' 123 | x', '     | ^'])
  })

  it('expands tabs to stops of four, and keeps the caret under its character', () => {
    expect(renderFrame(at(1, 4), '\ta\tb', 'f').split('\n').slice(2)).toEqual([
      ' 1 |     a   b',
      '   |         ^',
    ])
  })

  it('gives wide characters two columns', () => {
    const text = '"日本" x'
    expect(renderFrame(at(1, 6), text, 'f').split('\n').slice(2)).toEqual([` 1 | ${text}`, '   |        ^'])
  })

  it('shows no control characters', () => {
    expect(renderFrame(at(1, 3), 'a\u001b[31mb', 'f')).toContain(' 1 | a·[31mb')
  })

  it('clips a long line on both sides of the caret', () => {
    const text = `${'a'.repeat(500)}X${'b'.repeat(500)}`
    const [, , line, carets] = renderFrame(at(1, 501), text, 'f').split('\n')
    expect(line!.length).toBeLessThanOrEqual(130)
    expect(line).toMatch(/^ 1 \| …a+Xb+…$/)
    expect(line!.indexOf('X')).toBe(carets!.indexOf('^'))
  })

  it('points behind the end of the text', () => {
    expect(
      renderFrame(at(2, 1, { start: 3, end: 3 }), 'ab\n', 'f')
        .split('\n')
        .slice(2),
    ).toEqual([' 2 |', '   | ^'])
  })
})

describe('renderDiagnostic', () => {
  it('puts the frame under the sentence', () => {
    expect(renderDiagnostic(at(1, 1), 'x', 'f')).toMatch(/^Expected something\n {2}--> f:1:1\n/)
  })
})
