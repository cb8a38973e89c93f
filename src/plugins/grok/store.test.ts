import fc from 'fast-check'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostileText } from '../../../test/support/hostile-text.ts'
import { Event } from '../../event/event.ts'
import type { GrokCapture } from '../../grok/capture.ts'
import { compileGrok } from '../../grok/compile.ts'
import { compileStore } from './store.ts'

const RealFunction = globalThis.Function
let sources: string[] = []

beforeEach(() => {
  sources = []
  globalThis.Function = new Proxy(RealFunction, {
    construct(target, args: string[], newTarget) {
      sources.push(`function generated(${args.slice(0, -1).join(', ')}) {\n${args.at(-1) ?? ''}\n}`)
      return Reflect.construct(target, args, newTarget === globalThis.Function ? target : newTarget) as object
    },
  })
})

afterEach(() => {
  globalThis.Function = RealFunction
})

// biome-ignore format: a table
const ourNames = new Set([
  'generated', 'store', 'get', 'set', 'event', 'value', 'm', 'v', 'd', 'k', 'toInteger', 'toFloat', 'undefined', 'data', 'raw', 'meta',
  'parent', 'isFields', 'writePath', 'path', 'readStep', 'Array', 'isArray',
])

/** Names and texts in generated code that neither we wrote nor `known` holds. */
function strangers(source: string, known: ReadonlySet<string>): string[] {
  const file = ts.createSourceFile('generated.js', source, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS)
  const found: string[] = []
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: ts.Diagnostic[] }
  for (const { messageText } of parseDiagnostics) found.push(`does not parse: ${String(messageText)}`)
  if (file.statements.length !== 1) found.push('breaks out of the function')
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !ourNames.has(node.text)) found.push(`name ${node.text}`)
    if (ts.isStringLiteral(node) && !['', 'object'].includes(node.text) && !known.has(node.text))
      found.push(`text ${JSON.stringify(node.text)}`)
    if (ts.isTemplateLiteral(node) || ts.isRegularExpressionLiteral(node)) found.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(file)
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, false, ts.LanguageVariant.Standard, source)
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia)
      found.push(`comment ${scanner.getTokenText()}`)
  }
  return found
}

const capture = (field: string, cast: GrokCapture['cast'] = null): GrokCapture => ({
  field,
  cast,
  groups: [1],
})

describe('generated code', () => {
  it('holds names of fields in string literals only', () => {
    const cast = fc.constantFrom<GrokCapture['cast']>(null, 'int', 'float')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostileText, cast), { minLength: 1, maxLength: 5 }),
        fc.option(hostileText, { nil: undefined }),
        fc.boolean(),
        fc.boolean(),
        (fields, target, overwrites, keepEmpty) => {
          sources = []
          const names = fields.map(([name]) => name)
          compileStore(
            fields.map(([name, type]) => capture(name, type)),
            { target, overwrite: overwrites ? names : [], keepEmpty },
          )
          expect(sources.length).toBeGreaterThan(0)
          const parts = [...names, target ?? ''].flatMap((name) => [
            name,
            name.trim(),
            ...name.split(/[[\]]/),
            ...name.trim().split(/[[\]]/),
          ])
          const known = new Set([...parts, 'tags', '@timestamp', '@metadata'])
          for (const source of sources) expect(strangers(source, known)).toEqual([])
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('stores under the very name, whatever it is', () => {
    fc.assert(
      fc.property(hostileText, (name) => {
        const field = name.replace(/[[\]]/g, '') || 'x'
        fc.pre(field !== '@timestamp' && field !== '@metadata')
        const store = compileStore([capture(field)], { target: undefined, overwrite: [], keepEmpty: false })
        const event = new Event({})
        store(event, ['x', 'x'] as unknown as RegExpExecArray)
        expect(event.get(field)).toBe('x')
        expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype)
      }),
      { numRuns: 2000 },
    )
  })

  it('is recognised when it holds something else', () => {
    const none = new Set<string>()
    expect(strangers('function generated() { return d["stranger"] }', none)).not.toEqual([])
    expect(strangers('function generated() { return process }', none)).not.toEqual([])
    expect(strangers('function generated() { } // x', none)).not.toEqual([])
    expect(strangers('function generated() { return `x` }', none)).not.toEqual([])
  })

  it('comes of hostile expressions too, which never become code', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        sources = []
        const literal = text.replace(/[\\^$.*+?()[\]{}|/\-#]/g, '\\$&')
        const { captures } = compileGrok(`%{X:field}${literal}%{X:other:int}`, new Map([['X', literal]]))
        compileStore(captures, { target: undefined, overwrite: [], keepEmpty: false })
        for (const source of sources.filter((one) => one.includes('store(event')))
          expect(strangers(source, new Set(['field', 'other']))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

describe('a capture of several groups', () => {
  it('is the last that took part', () => {
    const store = compileStore([{ field: 'a', cast: null, groups: [1, 2, 3] }], {
      target: undefined,
      overwrite: [],
      keepEmpty: false,
    })
    for (const [match, expected] of [
      [['', 'x', undefined, undefined], 'x'],
      [['', 'x', 'y', undefined], 'y'],
      [['', 'x', undefined, 'z'], 'z'],
      [['', undefined, undefined, undefined], undefined],
    ] as const) {
      const event = new Event({})
      store(event, match as unknown as RegExpExecArray)
      expect(event.get('a')).toBe(expected)
    }
  })
})
