/**
 * Why a text was refused, in Logstash's exact words: `Expected one of … at line L, column C (byte B) after …`.
 * Runs only after the parser said no. It walks the grammar the slow way, remembers each rule's answer
 * per position (as Logstash does, which decides how often a terminal counts) and notes every terminal
 * that failed at the farthest position reached.
 */
import { RULES, type Rule, type RuleName } from './grammar.ts'
import type { LineIndex } from './line-index.ts'

interface Expectation {
  message: string
  /** UTF-16 index of the farthest failure. */
  offset: number
}

/**
 * `from` is the end of the last complete section. Nothing before it can matter: a section never looks
 * past its closing brace, and at least one terminal fails at or after that brace.
 */
export function explainFailure(index: LineIndex, from: number): Expectation {
  const walk = new Walk(index.text)
  const end = walk.match(RULES.config, from)
  const { farthest, failures } = walk
  const shown = [...new Set(failures)].join(', ')
  const at = `at line ${index.lineOf(farthest)}, column ${index.columnOf(farthest)} (byte ${index.characterOf(farthest)})`
  const after = farthest > 0 ? ` after ${index.text.slice(end, farthest)}` : ''
  return {
    message: `Expected ${failures.length === 1 ? '' : 'one of '}${shown} ${at}${after}`,
    offset: farthest,
  }
}

/** Whether the grammar accepts the whole text; the slow twin of the parser, for tests. */
export function grammarAccepts(text: string): boolean {
  return new Walk(text).match(RULES.config, 0) === text.length
}

const NO_MATCH = -1

class Walk {
  farthest = 0
  failures: string[] = []
  private readonly text: string
  private readonly answers = new Map<RuleName, Map<number, number>>()
  /** Inside a negative lookahead nothing is noted. */
  private looking = 0

  constructor(text: string) {
    this.text = text
  }

  /** The position behind the match, or NO_MATCH. */
  match(rule: Rule, at: number): number {
    switch (rule.kind) {
      case 'word':
        return this.text.startsWith(rule.word, at) ? at + rule.word.length : this.fail(at, rule.shown)
      case 'class':
        return at < this.text.length && rule.test.test(this.text[at]!) ? at + 1 : this.fail(at, rule.shown)
      case 'any':
        return at < this.text.length ? at + 1 : this.fail(at, 'any character')
      case 'all': {
        let end = at
        for (const part of rule.parts) {
          end = this.match(part, end)
          if (end === NO_MATCH) return NO_MATCH
        }
        return end
      }
      case 'first':
        for (const part of rule.parts) {
          const end = this.match(part, at)
          if (end !== NO_MATCH) return end
        }
        return NO_MATCH
      case 'repeat':
        return this.repeat(rule.part, rule.min, rule.max, at)
      case 'not': {
        this.looking++
        const end = this.match(rule.part, at)
        this.looking--
        return end === NO_MATCH ? at : NO_MATCH
      }
      case 'rule':
        return this.named(rule.name, at)
    }
  }

  private repeat(part: Rule, min: number, max: number, at: number): number {
    let end = at
    let count = 0
    while (count < max) {
      const next = this.match(part, end)
      if (next === NO_MATCH) break
      count++
      end = next
    }
    return count < min ? NO_MATCH : end
  }

  private named(name: RuleName, at: number): number {
    let answers = this.answers.get(name)
    if (answers === undefined) this.answers.set(name, (answers = new Map()))
    const known = answers.get(at)
    if (known !== undefined) return known
    const end = this.match(RULES[name], at)
    answers.set(at, end)
    return end
  }

  private fail(at: number, shown: string): number {
    if (this.looking > 0 || at < this.farthest) return NO_MATCH
    if (at > this.farthest) {
      this.farthest = at
      this.failures = []
    }
    this.failures.push(shown)
    return NO_MATCH
  }
}
