/**
 * The queries of local lookups: SELECT with joins, conditions, order and limit over tables in memory. Grouping,
 * set operations and sub-queries are refused with their place.
 */
import { SqlError, scanSql, type Token } from './sql-scan.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean | null }
  | { readonly kind: 'parameter'; readonly name: string }
  | {
      readonly kind: 'column'
      readonly table: string | undefined
      readonly name: string
      readonly at: number
    }
  | { readonly kind: 'call'; readonly name: string; readonly of: readonly Expression[]; readonly at: number }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly of: Expression }
  | {
      readonly kind: 'compare' | 'arithmetic'
      readonly sign: string
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'like'
      readonly left: Expression
      readonly right: Expression
      readonly escape: string | undefined
    }
  | { readonly kind: 'in'; readonly left: Expression; readonly of: readonly Expression[] }
  | { readonly kind: 'null'; readonly of: Expression }

interface Item {
  /** Undefined for all columns, of one table or of all. */
  readonly expression: Expression | undefined
  readonly table: string | undefined
  readonly name: string
}

interface Source {
  readonly table: string
  readonly alias: string
  readonly isOuter: boolean
  readonly on: Expression | undefined
  readonly at: number
}

export interface Select {
  readonly isDistinct: boolean
  readonly items: readonly Item[]
  readonly from: readonly Source[]
  readonly where: Expression | undefined
  readonly order: readonly { readonly of: Expression; readonly descending: boolean }[]
  readonly offset: number
  readonly limit: number
}

const refused = ['GROUP', 'HAVING', 'UNION', 'INTERSECT', 'EXCEPT', 'WITH', 'WINDOW']
const reserved = new Set([
  ...['FROM', 'WHERE', 'ORDER', 'GROUP', 'HAVING', 'UNION', 'JOIN', 'INNER', 'LEFT', 'ON', 'AND', 'OR', 'AS'],
  ...['LIMIT', 'OFFSET', 'FETCH', 'CROSS', 'RIGHT', 'FULL', 'NATURAL', 'USING', 'ASC', 'DESC', 'NOT', 'IN'],
  ...['LIKE', 'BETWEEN', 'IS', 'INTERSECT', 'EXCEPT', 'ESCAPE', 'FOR', 'NULLS'],
])

export function parseSelect(text: string): Select {
  return new Parser(scanSql(text)).select()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  select(): Select {
    this.#expect('SELECT')
    const isDistinct = this.#word('DISTINCT')
    this.#word('ALL')
    const items = this.#list(() => this.#item())
    this.#expect('FROM')
    const from = this.#sources()
    const where = this.#word('WHERE') ? this.#expression() : undefined
    if (refused.includes(this.#next.value)) throw this.#error(`${this.#next.value} is not supported here`)
    const order = this.#word('ORDER') ? this.#order() : []
    let offset = 0
    let limit = Infinity
    for (;;) {
      if (this.#word('LIMIT')) limit = this.#count()
      else if (this.#word('OFFSET')) {
        offset = this.#count()
        if (!this.#word('ROWS')) this.#word('ROW')
      } else if (this.#word('FETCH')) {
        if (!this.#word('FIRST')) this.#expect('NEXT')
        limit = this.#next.kind === 'number' ? this.#count() : 1
        if (!this.#word('ROWS')) this.#expect('ROW')
        this.#expect('ONLY')
      } else break
    }
    if (this.#word('FOR')) while (this.#next.kind === 'word') this.#at += 1
    this.#sign(';')
    if (this.#next.kind !== 'end') throw this.#error(`Unexpected ${this.#next.written}`)
    return { isDistinct, items, from, where, order, offset, limit }
  }

  get #next(): Token {
    return this.#tokens[this.#at]!
  }

  #error(message: string): SqlError {
    return new SqlError(message, this.#next.at)
  }

  #word(value: string): boolean {
    const found = this.#next.kind === 'word' && this.#next.value === value
    if (found) this.#at += 1
    return found
  }

  #sign(value: string): boolean {
    const found = this.#next.kind === 'sign' && this.#next.value === value
    if (found) this.#at += 1
    return found
  }

  #expect(word: string): void {
    if (!this.#word(word)) throw this.#error(`${word} expected before ${this.#next.written}`)
  }

  #expectSign(sign: string): void {
    if (!this.#sign(sign)) throw this.#error(`${sign} expected before ${this.#next.written}`)
  }

  #list<T>(read: () => T): T[] {
    const list = [read()]
    while (this.#sign(',')) list.push(read())
    return list
  }

  /** Names fold to lower case, as everything here compares that way. */
  #name(): string {
    const { kind, value } = this.#next
    if (kind !== 'name' && (kind !== 'word' || reserved.has(value))) throw this.#error('a name expected')
    this.#at += 1
    return value.toLowerCase()
  }

  /** `schema.table`: there is one schema. */
  #tableName(): string {
    let name = this.#name()
    while (this.#sign('.')) name = this.#name()
    return name
  }

  #alias(): string | undefined {
    if (this.#word('AS')) return this.#name()
    const { kind, value } = this.#next
    return kind === 'name' || (kind === 'word' && !reserved.has(value)) ? this.#name() : undefined
  }

  #count(): number {
    if (this.#next.kind !== 'number') throw this.#error('a number expected')
    return Number(this.#tokens[this.#at++]!.value)
  }

  #item(): Item {
    if (this.#sign('*')) return { expression: undefined, table: undefined, name: '*' }
    const [first, dot, star] = [this.#next, this.#tokens[this.#at + 1], this.#tokens[this.#at + 2]]
    if (first.kind !== 'sign' && dot?.value === '.' && star?.kind === 'sign' && star.value === '*') {
      this.#at += 3
      return { expression: undefined, table: first.value.toLowerCase(), name: '*' }
    }
    const expression = this.#expression()
    const own = expression.kind === 'column' ? expression.name : undefined
    return { expression, table: undefined, name: this.#alias() ?? own ?? '' }
  }

  #sources(): Source[] {
    const sources: Source[] = []
    const add = (isOuter: boolean, hasOn: boolean) => {
      const { at } = this.#next
      if (this.#next.value === '(') throw this.#error('sub-queries are not supported here')
      const table = this.#tableName()
      const alias = this.#alias() ?? table
      if (hasOn) this.#expect('ON')
      sources.push({ table, alias, isOuter, on: hasOn ? this.#expression() : undefined, at })
    }
    add(false, false)
    for (;;) {
      if (this.#sign(',')) add(false, false)
      else if (this.#word('CROSS')) {
        this.#expect('JOIN')
        add(false, false)
      } else if (this.#word('INNER')) {
        this.#expect('JOIN')
        add(false, true)
      } else if (this.#word('LEFT')) {
        this.#word('OUTER')
        this.#expect('JOIN')
        add(true, true)
      } else if (this.#word('JOIN')) add(false, true)
      else return sources
    }
  }

  #order(): { of: Expression; descending: boolean }[] {
    this.#expect('BY')
    return this.#list(() => {
      const of = this.#expression()
      const descending = this.#word('DESC')
      if (!descending) this.#word('ASC')
      if (this.#word('NULLS')) this.#at += 1
      return { of, descending }
    })
  }

  #expression(): Expression {
    if (++this.#depth > 100) throw this.#error('the expression is nested too deep')
    let left = this.#conjunction()
    while (this.#word('OR')) left = { kind: 'or', left, right: this.#conjunction() }
    this.#depth -= 1
    return left
  }

  #conjunction(): Expression {
    let left = this.#negation()
    while (this.#word('AND')) left = { kind: 'and', left, right: this.#negation() }
    return left
  }

  #negation(): Expression {
    return this.#word('NOT') ? { kind: 'not', of: this.#negation() } : this.#predicate()
  }

  #predicate(): Expression {
    const left = this.#sum()
    const { kind, value } = this.#next
    if (kind === 'sign' && ['=', '<>', '!=', '<', '>', '<=', '>='].includes(value)) {
      this.#at += 1
      return { kind: 'compare', sign: value === '!=' ? '<>' : value, left, right: this.#sum() }
    }
    if (this.#word('IS')) {
      const not = this.#word('NOT')
      this.#expect('NULL')
      return negated(not, { kind: 'null', of: left })
    }
    const not = this.#word('NOT')
    if (this.#word('LIKE')) {
      const right = this.#sum()
      const mark = this.#word('ESCAPE') ? this.#tokens[this.#at++]!.value : undefined
      return negated(not, { kind: 'like', left, right, escape: mark })
    }
    if (this.#word('IN')) {
      this.#expectSign('(')
      if (this.#next.value === 'SELECT') throw this.#error('sub-queries are not supported here')
      const of = this.#list(() => this.#sum())
      this.#expectSign(')')
      return negated(not, { kind: 'in', left, of })
    }
    if (this.#word('BETWEEN')) {
      const low = this.#sum()
      this.#expect('AND')
      const high = this.#sum()
      return negated(not, {
        kind: 'and',
        left: { kind: 'compare', sign: '>=', left, right: low },
        right: { kind: 'compare', sign: '<=', left, right: high },
      })
    }
    if (not) throw this.#error('LIKE, IN or BETWEEN expected')
    return left
  }

  #sum(): Expression {
    let left = this.#product()
    for (;;) {
      const sign = ['+', '-', '||'].find((one) => this.#sign(one))
      if (sign === undefined) return left
      left = { kind: 'arithmetic', sign, left, right: this.#product() }
    }
  }

  #product(): Expression {
    let left = this.#atom()
    for (;;) {
      const sign = ['*', '/'].find((one) => this.#sign(one))
      if (sign === undefined) return left
      left = { kind: 'arithmetic', sign, left, right: this.#atom() }
    }
  }

  #atom(): Expression {
    const { kind, value, at } = this.#next
    if (this.#sign('(')) {
      if (this.#next.value === 'SELECT') throw this.#error('sub-queries are not supported here')
      const inner = this.#expression()
      this.#expectSign(')')
      return inner
    }
    if (this.#sign('-'))
      return { kind: 'arithmetic', sign: '-', left: { kind: 'literal', value: 0 }, right: this.#atom() }
    this.#at += 1
    if (kind === 'text') return { kind: 'literal', value }
    if (kind === 'number')
      return {
        kind: 'literal',
        value: Number.isSafeInteger(Number(value)) || /[.e]/i.test(value) ? Number(value) : BigInt(value),
      }
    if (kind === 'parameter') return { kind: 'parameter', name: value }
    if (kind === 'word' && ['TRUE', 'FALSE', 'NULL'].includes(value))
      return { kind: 'literal', value: value === 'NULL' ? null : value === 'TRUE' }
    this.#at -= 1
    if (kind === 'word' && this.#tokens[this.#at + 1]?.value === '(') return this.#call()
    const first = this.#name()
    if (!this.#sign('.')) return { kind: 'column', table: undefined, name: first, at }
    let [table, name] = [first, this.#name()]
    while (this.#sign('.')) [table, name] = [name, this.#name()]
    return { kind: 'column', table, name, at }
  }

  #call(): Expression {
    const { value: name, at } = this.#next
    this.#at += 2
    if (name === 'COUNT' && this.#sign('*')) {
      this.#expectSign(')')
      return { kind: 'call', name, of: [], at }
    }
    const of = this.#sign(')') ? undefined : this.#list(() => this.#expression())
    if (of === undefined) return { kind: 'call', name, of: [], at }
    if (name === 'CAST') {
      this.#expect('AS')
      const type = this.#next.value
      while (this.#next.value !== ')' && this.#next.kind !== 'end') this.#at += 1
      of.push({ kind: 'literal', value: type })
    }
    if (this.#sign('(')) this.#at += 1
    this.#expectSign(')')
    return { kind: 'call', name, of, at }
  }
}

function negated(not: boolean, of: Expression): Expression {
  return not ? { kind: 'not', of } : of
}
