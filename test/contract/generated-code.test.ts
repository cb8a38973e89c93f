/**
 * Text of users never becomes code. Ten thousand hostile texts go into configurations as option values,
 * field names, ids, strings and patterns of conditions; every source text handed to `new Function` on the
 * way is parsed as JavaScript and may hold nothing but words of ours and string literals.
 */
import fc from 'fast-check'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fieldName, hostileText, quoted, regexp } from '../support/hostile-text.ts'
import { eventOf, openConfig } from '../support/in-process.ts'

/** Names the generators make, and the few members and globals generated code uses. */
const madeNames =
  /^(?:(?:k|get|fn|pattern|filter|flush|hooks|stage|output|x|y)\d+|(?:filter|output)\d+_[a-z0-9_]+_line\d+)$/
// biome-ignore format: a table
const ourNames = new Set([
  'run', 'flush', 'final', 'b', 'e', 't', 'r', 'i', 'error', 'v', 'event', 'value', 'old', 'parent', 'path', 'get', 'set', 'remove',
  'data', 'meta', 'raw', 'length', 'push', 'concat', 'test', 'conditionFailed', 'undefined', 'Array', 'isArray', 'readStep',
  'isFields', 'writePath',
])
const ourTexts = new Set(['use strict', 'object', 'number', 'string', '', 'false'])
const sourceUrl = /^\/\/# sourceURL=[\w:/.-]*$/

interface Made {
  parameters: string[]
  body: string
}

const RealFunction = globalThis.Function
let made: Made[] = []

beforeEach(() => {
  made = []
  globalThis.Function = new Proxy(RealFunction, {
    construct(target, args: string[], newTarget) {
      made.push({ parameters: args.slice(0, -1), body: args.at(-1) ?? '' })
      return Reflect.construct(target, args, newTarget === globalThis.Function ? target : newTarget) as object
    },
  })
})

afterEach(() => {
  globalThis.Function = RealFunction
})

/** What is wrong with a source text; empty when it holds only what we write. */
function strangersIn({ parameters, body }: Made, known: ReadonlySet<string>): string[] {
  const text = `function generated(${parameters.join(', ')}) {\n${body}\n}`
  const problems: string[] = []
  const file = ts.createSourceFile('generated.js', text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS)
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: ts.Diagnostic[] }
  for (const { messageText } of parseDiagnostics) problems.push(`does not parse: ${String(messageText)}`)
  if (file.statements.length !== 1) problems.push('breaks out of the function')
  visit(file, (node) => {
    if (ts.isIdentifier(node)) {
      if (node.text !== 'generated' && !ourNames.has(node.text) && !madeNames.test(node.text)) {
        problems.push(`name ${node.text}`)
      }
    } else if (ts.isStringLiteral(node)) {
      if (!ourTexts.has(node.text) && !known.has(node.text))
        problems.push(`text ${JSON.stringify(node.text)}`)
    } else if (ts.isNumericLiteral(node)) {
      if (!/^\d$/.test(node.text)) problems.push(`number ${node.text}`)
    } else if (
      ts.isTemplateLiteral(node) ||
      ts.isTaggedTemplateExpression(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isBigIntLiteral(node) ||
      ts.isImportDeclaration(node)
    ) {
      problems.push(`literal ${node.getText()}`)
    }
  })
  return [...problems, ...commentsIn(text)]
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  ts.forEachChild(node, (child) => visit(child, look))
}

function commentsIn(text: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, false, ts.LanguageVariant.Standard, text)
  const found: string[] = []
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment =
      token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia
    if (isComment && !sourceUrl.test(scanner.getTokenText())) found.push(`comment ${scanner.getTokenText()}`)
  }
  return found
}

/** Twenty texts in every place a configuration has for them. */
function configOf(texts: readonly string[]): { text: string; names: string[] } {
  const names = texts.map(fieldName)
  const name = (i: number) => names[i]!
  const selector = (...path: number[]) => path.map((i) => `[${name(i)}]`).join('')
  const string = (i: number) => quoted(texts[i]!)
  const text = `
    input { given { id => ${string(0)} } }
    filter {
      if ${selector(1)} == ${string(2)} and ${selector(3, 4)} { mutate { add_tag => [${string(5)}] } }
      else if ${string(6)} in ${selector(7)} or ${selector(8)} in [${string(9)}, ${string(10)}] {
        mutate { id => ${quoted(`f${texts[11]!}`)} add_field => { ${quoted(`[${name(12)}]`)} => ${string(13)} } }
      }
      if ${selector(14)} =~ ${regexp(texts[15]!)} or ${selector(14, 16)} > ${string(17)} or ![${name(18)}][@metadata] {
        mutate {
          replace => { ${quoted(`[${name(12)}][${name(19)}]`)} => ${string(13)} }
          copy => { ${quoted(`[${name(1)}]`)} => ${quoted(`[@metadata][${name(3)}]`)} }
          remove_field => [${quoted(`[${name(19)}]`)}]
          rename => { ${quoted(name(4))} => ${quoted(`[${name(7)}]`)} }
        }
      }
    }
    output { if [@metadata][${name(16)}] != ${string(17)} { record { id => ${quoted(`o${texts[18]!}`)} } } else { record { } } }`
  return { text, names }
}

const settings = { 'config.support_escapes': true } as const
const perConfig = 20

describe('generated code', () => {
  it('holds user text in string literals only', async () => {
    // Loads every plugin and pattern engine before the sources are looked at.
    const [first] = fc.sample(
      fc.array(fc.constant('warm'), { minLength: perConfig, maxLength: perConfig }),
      1,
    )
    await openConfig(configOf(first!.map((text, i) => `${text}${i}`)).text, settings)
    made = []
    let programs = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText, { minLength: perConfig, maxLength: perConfig }),
        async (texts) => {
          made = []
          const { text, names } = configOf(texts)
          const { execution } = await openConfig(text, { ...settings, 'pipeline.id': texts[19]! })
          expect(made.some(({ body }) => body.includes(execution.filterProgram.source))).toBe(true)
          expect(made.some(({ body }) => body.includes(execution.outputProgram.source))).toBe(true)
          const known = new Set([...texts, ...names, 'tags', '@metadata'])
          for (const one of made) expect(strangersIn(one, known)).toEqual([])
          programs += made.length
        },
      ),
      { numRuns: 500 },
    )
    expect(programs).toBeGreaterThan(1000)
  }, 300_000)

  it('reads and writes the field that was named', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (first, second) => {
        const name = fieldName(first)
        const text = `input { given { } } filter {
          if [${name}] == ${quoted(second)} { mutate { add_tag => ["T"] } }
          mutate { replace => { ${quoted(`[seen][${name}]`)} => ${quoted(second)} } }
        } output { record { } }`
        const pipeline = await openConfig(text, settings)
        const [event] = await pipeline.run([eventOf(`{${JSON.stringify(name)}:${JSON.stringify(second)}}`)])
        // A text may hold a %{date format} that is none: the replacement then fails, the condition has held.
        expect(event?.get('tags')).toContain('T')
        expect(Object.getPrototypeOf(event?.data)).toBe(Object.prototype)
      }),
      { numRuns: 500 },
    )
  }, 300_000)

  it('is recognised when it does hold something else', () => {
    const none = new Set<string>()
    const body = (text: string) => strangersIn({ parameters: [], body: text }, none)
    expect(body('return e.data["";process.exit()]')).not.toEqual([])
    expect(body('return `x`')).not.toEqual([])
    expect(body('return /x/')).not.toEqual([])
    expect(body('return e; // x')).not.toEqual([])
    expect(body('} function other() {')).not.toEqual([])
    expect(body('return e.data["stranger"]')).not.toEqual([])
    expect(body('return "" === "false";\n//# sourceURL=millrace:///main/abc/filters.js')).toEqual([])
  })
})
