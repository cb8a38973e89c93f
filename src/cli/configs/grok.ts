/**
 * `millrace grok PATTERN [FILE]`: tries grok expressions on lines and explains the lines that do not match.
 * Exit code 0 when every line matched, 1 when one did not, 2 for a wrong command line or expression.
 */
import { createReadStream } from 'node:fs'
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { valueText } from '../../event/sprintf.ts'
import { type Fields, isFields } from '../../event/value.ts'
import { type CompiledGrok, compileGrok } from '../../grok/compile.ts'
import { GrokExplainer } from '../../grok/explain.ts'
import { GrokError } from '../../grok/grok-error.ts'
import { suggest } from '../../grok/suggest.ts'
import { definitionsFor } from '../../plugins/grok/definitions.ts'
import { compileStore, type Store } from '../../plugins/grok/store.ts'
import { PatternError, PatternTimeout } from '../../regex/pattern.ts'
import { nearestName } from '../../settings/errors.ts'
import { readLines } from '../line-reader.ts'
import { type Failure, failureJson, failureText, matchText } from './grok-report.ts'

const usage = `Usage: millrace grok [OPTIONS] PATTERN [FILE]

Tries a grok expression on every line of a file, or of standard input, prints the fields of the lines that
match and explains the others.

Options:
    -e, --pattern PATTERN   A further expression, tried when those before it do not match; several allowed.
    --patterns-dir PATH     A folder with pattern files, or such a file; several allowed.
    --definition NAME=REGEX A pattern of your own; several allowed.
    --ecs                   Library patterns with the field names of the Elastic Common Schema.
    --field NAME            Lines are JSON events, of which this field is matched.
    --json                  Print one JSON value per line.
    --timeout MS            Milliseconds one search may take, 1000 unless given.
    --help                  Print this text.
`

export interface GrokStreams {
  readonly input: AsyncIterable<string>
  /** A promise means: wait before writing more. */
  write(text: string): void | Promise<void>
  writeError(text: string): void
}

interface Request {
  readonly expressions: readonly string[]
  readonly file: string | undefined
  readonly patternsDir: readonly string[]
  readonly definitions: ReadonlyMap<string, string>
  readonly isEcs: boolean
  readonly isJson: boolean
  readonly isHelp: boolean
  readonly field: string | undefined
  readonly timeout: number
}

interface Expression extends CompiledGrok {
  readonly store: Store
}

class BadUsage extends Error {}

const maxLineLength = 1024 * 1024

export async function grokCommand(args: readonly string[], given?: GrokStreams): Promise<number> {
  const streams = given ?? processStreams()
  try {
    const request = parse(args)
    if (request.isHelp) {
      await streams.write(usage)
      return 0
    }
    const lines = readLines(
      request.file === undefined ? streams.input : fileText(request.file),
      maxLineLength,
    )
    return await run(request, lines, streams)
  } catch (error) {
    const isKnown = error instanceof BadUsage || error instanceof GrokError || error instanceof PatternError
    const { code, message } = error as NodeJS.ErrnoException
    if (!isKnown && code === undefined) throw error
    streams.writeError(`ERROR: ${message}\n`)
    return 2
  }
}

async function run(
  request: Request,
  lines: AsyncIterable<{ text: string; isCut: boolean }>,
  streams: GrokStreams,
): Promise<number> {
  const definitions = definitionsFor(
    {
      patterns_dir: request.patternsDir,
      patterns_files_glob: '*',
      pattern_definitions: request.definitions,
    },
    request.isEcs ? 'v8' : 'disabled',
  )
  const expressions = request.expressions.map((expression) =>
    compile(expression, definitions, request.timeout),
  )
  const explain = explainerOf(request.expressions, definitions, request.timeout)
  let number = 0
  let matches = 0
  for await (const { text: line, isCut } of lines) {
    number += 1
    if (isCut) streams.writeError(`line ${number} is longer than 1 MiB; only its beginning is looked at\n`)
    const text = request.field === undefined ? line : fieldText(line, request.field)
    if (text === undefined) {
      const message = 'no JSON object'
      await streams.write(
        request.isJson
          ? `${JSON.stringify({ line: number, matched: false, error: message })}\n`
          : `line ${number}: ${message}\n`,
      )
      continue
    }
    const event = match(expressions, text)
    if (event === null) {
      const failure = explain(text)
      await streams.write(
        request.isJson ? `${failureJson(number, text, failure)}\n` : failureText(number, text, failure),
      )
      continue
    }
    matches += 1
    const fields = Object.entries(shownFields(event)).map(
      ([name, value]) => [name, writeJson(value ?? null)] as const,
    )
    await streams.write(
      request.isJson
        ? `{"line":${number},"matched":true,"fields":${writeJson(shownFields(event))}}\n`
        : matchText(number, fields),
    )
  }
  if (number > 1 && !request.isJson) await streams.write(`${matches} of ${number} lines match\n`)
  return matches === number ? 0 : 1
}

function compile(expression: string, definitions: ReadonlyMap<string, string>, timeout: number): Expression {
  try {
    const compiled = compileGrok(expression, definitions, { timeout })
    const store = compileStore(compiled.captures, { target: undefined, overwrite: [], keepEmpty: false })
    return { ...compiled, store }
  } catch (error) {
    const name =
      error instanceof GrokError ? /%\{([A-z0-9]+).* not defined$/.exec(error.message)?.[1] : undefined
    const near = name === undefined ? undefined : nearestName(name, definitions.keys())
    throw near === undefined ? error : new GrokError(`${(error as Error).message}. Did you mean %{${near}}?`)
  }
}

/** The fields of the first expression that matches; null when none does, or none in time. */
function match(expressions: readonly Expression[], text: string): Event | null {
  for (const { pattern, store } of expressions) {
    try {
      const found = pattern.search(text)
      if (found === null) continue
      const event = new Event({})
      store(event, found)
      return event
    } catch (error) {
      if (!(error instanceof PatternTimeout)) throw error
    }
  }
  return null
}

/** Explains the one of several expressions that gets furthest. */
function explainerOf(
  expressions: readonly string[],
  definitions: ReadonlyMap<string, string>,
  timeout: number,
): (text: string) => Failure {
  const explainers = new Map<string, GrokExplainer>()
  return (text) => {
    const failures = expressions.map((expression): [Failure, GrokExplainer] => {
      let explainer = explainers.get(expression)
      if (explainer === undefined) {
        explainer = new GrokExplainer(expression, definitions, { timeout })
        explainers.set(expression, explainer)
      }
      const explanation = explainer.explain(text)
      return [
        { expression, explanation, suggestion: undefined, definition: (name) => definitions.get(name) },
        explainer,
      ]
    })
    const [best, explainer] = failures.reduce((one, other) =>
      other[0].explanation.stop > one[0].explanation.stop ? other : one,
    )
    return { ...best, suggestion: suggest(explainer, best.explanation, text) }
  }
}

function shownFields(event: Event): Fields {
  return event.meta === null ? event.data : { ...event.data, '@metadata': event.meta }
}

function fieldText(line: string, field: string): string | undefined {
  try {
    const value = parseJson(line)
    if (!isFields(value)) return undefined
    const found = new Event(value).get(field)
    return found === undefined ? '' : valueText(found)
  } catch {
    return undefined
  }
}

function parse(args: readonly string[]): Request {
  const words: string[] = []
  const expressions: string[] = []
  const patternsDir: string[] = []
  const definitions = new Map<string, string>()
  const flags = new Set<string>()
  let field: string | undefined
  let timeout = 1000
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [, name = argument, attached] = /^(--[a-z-]+)=([\s\S]*)$/.exec(argument) ?? []
    const value = () => attached ?? left.shift() ?? refuse(`option '${name}': no value provided`)
    if (name === '-e' || name === '--pattern') expressions.push(value())
    else if (name === '--patterns-dir') patternsDir.push(value())
    else if (name === '--definition') define(definitions, value())
    else if (name === '--field') field = value()
    else if (name === '--timeout') timeout = milliseconds(value())
    else if (['--ecs', '--json', '--help', '-h'].includes(argument)) flags.add(argument)
    else if (argument === '--') words.push(...left.splice(0))
    else if (argument.startsWith('-') && argument.length > 1) refuse(`Unrecognised option '${argument}'`)
    else words.push(argument)
  }
  const isHelp = flags.has('--help') || flags.has('-h')
  const [expression, file, ...more] = words
  if (!isHelp && expression === undefined) refuse('no pattern given')
  if (more.length > 0) refuse(`too many arguments: '${more[0]}'; quote the pattern`)
  return {
    expressions: expression === undefined ? expressions : [expression, ...expressions],
    file: file === '-' ? undefined : file,
    patternsDir,
    definitions,
    isEcs: flags.has('--ecs'),
    isJson: flags.has('--json'),
    isHelp,
    field,
    timeout,
  }
}

function define(definitions: Map<string, string>, given: string): void {
  const equals = given.indexOf('=')
  if (equals < 1) refuse(`option '--definition': expected NAME=REGEX, got '${given}'`)
  definitions.set(given.slice(0, equals), given.slice(equals + 1))
}

function milliseconds(given: string): number {
  const value = Number(given)
  return Number.isInteger(value) && value > 0
    ? value
    : refuse(`option '--timeout': '${given}' is no number of milliseconds`)
}

function refuse(message: string): never {
  throw new BadUsage(`${message}\n\nSee: 'millrace grok --help'`)
}

function fileText(path: string): AsyncIterable<string> {
  return createReadStream(path, { encoding: 'utf8' })
}

function processStreams(): GrokStreams {
  const { stdin, stdout, stderr } = process
  // Whoever reads our output may have seen enough.
  stdout.on('error', () => process.exit(1))
  return {
    input: stdin.setEncoding('utf8'),
    write: (text) =>
      stdout.write(text) ? undefined : new Promise((resolve) => stdout.once('drain', resolve)),
    writeError: (text) => void stderr.write(text),
  }
}
