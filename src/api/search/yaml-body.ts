/**
 * Request bodies in YAML, as JSON. Elasticsearch reads them with SnakeYAML, whose limits of length and nesting hold here.
 * Our reader takes microseconds and hundreds of bytes for each token, so tokens are read in steps and counted.
 */
import { promisify } from 'node:util'
import type { Document, ParsedNode } from 'yaml'
import { maxJsonBytes } from '../../memory/json-size.ts'
import { SearchError } from '../../search/request/search-error.ts'
import { dataTooLarge } from './request-json.ts'

/** SnakeYAML's `codePointLimit` and `nestingDepthLimit`. */
const maxCodePoints = 3 * 1024 * 1024
const maxNesting = 50
/** The stream and its document are on the parser's stack as well. */
const maxStack = maxNesting + 2

/** What the nodes of one token take. */
const bytesPerToken = 460
/** The document is composed at once: this many tokens take half a second. */
const maxTokens = 300_000

const stepMillis = 5
const nextIteration = promisify(setImmediate)

/** Throws what is wrong with the text as an error of the request. */
export async function yamlAsJson(bytes: Buffer): Promise<Buffer> {
  const text = bytes.toString('utf8')
  if (text.length > maxCodePoints)
    throw refused(`The incoming YAML document exceeds the limit: ${maxCodePoints} code points.`)
  const document = await composed(text)
  const [error] = document.errors
  if (error !== undefined) throw syntaxError(text, error.message, error.pos[0])
  await refuseDuplicates(text, document)
  return Buffer.from(JSON.stringify(plainValue(document)))
}

/** The only document of the text; lexing and parsing are most of the work, and yield to other requests. */
async function composed(text: string): Promise<Document.Parsed<ParsedNode>> {
  const { Composer, Lexer, Parser } = await import('yaml')
  const parser = new Parser()
  // The reader's own search for duplicate names compares each with all before it.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false })
  const documents: Document.Parsed<ParsedNode>[] = []
  const bytesLimit = Math.min(maxJsonBytes(), maxTokens * bytesPerToken)
  let tokens = 0
  let until = performance.now() + stepMillis
  for (const lexeme of new Lexer().lex(text)) {
    tokens++
    if (tokens * bytesPerToken > bytesLimit)
      throw dataTooLarge({ bytes: tokens * bytesPerToken, limit: bytesLimit })
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token))
    if (parser.stack.length > maxStack)
      throw syntaxError(text, `Nesting Depth exceeded max ${maxNesting}`, parser.offset)
    if (performance.now() < until) continue
    await nextIteration()
    until = performance.now() + stepMillis
  }
  for (const token of parser.end()) documents.push(...composer.next(token))
  documents.push(...composer.end(true, text.length))
  const [document, next] = documents
  if (next !== undefined) throw syntaxError(text, 'expected a single document in the stream', next.range[0])
  return document!
}

async function refuseDuplicates(text: string, document: Document.Parsed<ParsedNode>): Promise<void> {
  const { isScalar, visit } = await import('yaml')
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (names.has(key.value))
          throw new SearchError(
            'json_parse_exception',
            `Duplicate field '${key.value}'${placeOf(text, key.range?.[0] ?? 0)}`,
          )
        names.add(key.value)
      }
    },
  })
}

/** Aliases are bounded, because some double what they stand for again and again. */
function plainValue(document: Document.Parsed<ParsedNode>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? null
  } catch (error) {
    if (error instanceof ReferenceError) throw refused(error.message)
    throw error
  }
}

/** Jackson's names of SnakeYAML's errors. */
function syntaxError(text: string, message: string, at: number): SearchError {
  return new SearchError('marked_y_a_m_l_exception', `${message}${placeOf(text, at)}`)
}

function refused(message: string): SearchError {
  return new SearchError('jackson_y_a_m_l_parse_exception', message)
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  return `\n at [line: ${before.length}, column: ${before.at(-1)!.length + 1}]`
}
