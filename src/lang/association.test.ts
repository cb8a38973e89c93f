import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryCondition } from './arbitrary-config.ts'
import { type Association, associate, associationQuirk, groupingText } from './association.ts'
import type { BranchNode, Condition } from './ast.ts'
import { expressionText } from './inline-text.ts'
import { parse } from './parser.ts'

function conditionOf(text: string): Condition {
  const bracketed = text.replace(/\b([a-z])\b/g, '[$1]')
  return (parse(`filter { if ${bracketed} { } }`).sections[0]!.body[0] as BranchNode).cases[0]!.condition
}

/** Every operation in parentheses. */
function full(tree: Association): string {
  if (tree.kind !== 'operation') return expressionText(tree).replace(/[[\]]/g, '')
  return `(${full(tree.left)} ${tree.operator} ${full(tree.right)})`
}

describe('associate', () => {
  it.each([
    ['a', 'a', 'a'],
    ['a or b and c', '(a or (b and c))', '(a or (b and c))'],
    ['a and b or c', '((a and b) or c)', '((a and b) or c)'],
    ['a and b and c or d', '(a and ((b and c) or d))', '(((a and b) and c) or d)'],
    ['a or b and c and d or e', '(a or (b and ((c and d) or e)))', '((a or ((b and c) and d)) or e)'],
    ['a and b or c and d', '((a and b) or (c and d))', '((a and b) or (c and d))'],
    ['a xor b', '(a xor b)', '(a xor b)'],
    ['a nand b', '(a nand b)', '(a nand b)'],
    ['a or b xor c and d', '(a or (b xor (c and d)))', '(a or (b xor (c and d)))'],
    ['a and b nand c or d', '(((a and b) nand c) or d)', '(((a and b) nand c) or d)'],
  ])('%s', (text, logstash, fixed) => {
    const condition = conditionOf(text)
    expect(full(associate(condition, 'logstash'))).toBe(logstash)
    expect(full(associate(condition, 'fixed'))).toBe(fixed)
  })

  it('keeps operands and operators in source order, whatever the grouping', () => {
    fc.assert(
      fc.property(
        arbitraryCondition,
        fc.constantFrom('logstash' as const, 'fixed' as const),
        (condition, mode) => {
          const seen: unknown[] = []
          const visit = (tree: Association): void => {
            if (tree.kind !== 'operation') {
              seen.push(tree)
              return
            }
            visit(tree.left)
            seen.push(tree.operator)
            visit(tree.right)
          }
          visit(associate(condition, mode))
          const expected = [
            condition.first,
            ...condition.rest.flatMap(({ operator, operand }) => [operator, operand]),
          ]
          expect(seen.length).toBe(expected.length)
          expect(seen.every((item, i) => item === expected[i])).toBe(true)
        },
      ),
    )
  })

  it('needs no call stack', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `a and b ${i % 2 ? 'and' : 'or'} `).join('')
    const condition = conditionOf(`${text} c`)
    expect(groupingText(condition, 'logstash').length).toBeGreaterThan(20_000)
  })
})

describe('associationQuirk', () => {
  it.each([
    'a',
    'a and b and c',
    'a or b or c',
    'a and b or c',
    'a or b and c',
    'a xor b',
    'a nand b',
    'a xor b xor c',
  ])('has nothing to say about %s', (text) => {
    expect(associationQuirk(conditionOf(text))).toBeUndefined()
  })

  it('shows both groupings', () => {
    expect(associationQuirk(conditionOf('a and b and c or d'))).toEqual({
      severity: 'warning',
      code: 'operator_association',
      message:
        'Logstash groups this condition as [a] and (([b] and [c]) or [d]), not as ([a] and [b] and [c]) or [d]',
      line: 1,
      column: 13,
      start: 12,
      end: 38,
      hint: 'add parentheses to say which grouping you mean',
    })
  })

  it('says what we make of conditions Logstash does not load', () => {
    expect(associationQuirk(conditionOf('a or b xor c'))).toMatchObject({
      code: 'mixed_xor_nand',
      message:
        'Logstash does not load a condition that mixes "xor" or "nand" with other operators; it is read as [a] or ([b] xor [c])',
    })
  })
})
