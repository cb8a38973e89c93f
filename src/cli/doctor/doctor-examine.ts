/**
 * The verdict on one configuration: what `-t` would say, and beyond it what the file needs from its
 * surroundings. A file counts as running when nothing in it has to be changed; variables and files that are
 * missing here are told, because the machine it is meant for may have them.
 */
import { GrokError } from '../../grok/grok-error.ts'
import type { SectionType, ValueNode } from '../../lang/ast.ts'
import type { Diagnostic } from '../../lang/diagnostic.ts'
import { LineIndex } from '../../lang/line-index.ts'
import { parseConfig } from '../../lang/parser.ts'
import { secretValues } from '../../lang/secret-values.ts'
import { hiddenMark } from '../../log/hidden-texts.ts'
import { type CheckEnvironment, checkDraft } from '../../pipeline/plan/check.ts'
import { buildPlan, type PlannedPlugin, type PlanOptions } from '../../pipeline/plan/plan.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import type { ConfigFile } from './doctor-files.ts'
import { mentionsVariable, missingPatternFolders, type Surroundings } from './doctor-stand-ins.ts'

/** `part`: sections that only make sense beside other files. `template`: text that another program fills in. */
export type Form = 'pipeline' | 'part' | 'template' | 'fragment' | 'unreadable'

export interface Finding {
  /** Errors keep the file from running. */
  severity: 'error' | 'note'
  code: string
  message: string
  line: number
  column: number
  hint?: string
  /** What it speaks of, for counting. */
  subject?: string
}

export interface Verdict {
  file: string
  runs: boolean
  /** A setting without which it does not run. */
  needs?: string
  form: Form
  sections: SectionType[]
  findings: Finding[]
}

export interface ExamineTools {
  readonly options: PlanOptions
  readonly environment: CheckEnvironment
  readonly surroundings: Surroundings
}

/** Kinds of errors that may depend on it. */
const mayDepend: ReadonlySet<string> = new Set(['configuration', 'grok_pattern'])

/** Before version 8 the Elastic Common Schema was off; what was written then may need that to start. */
const formerDefault = 'disabled'

export async function examine(file: ConfigFile, tools: ExamineTools): Promise<Verdict> {
  const verdict = await examineAs(file, tools)
  const errors = verdict.findings.filter(({ severity }) => severity === 'error')
  if (verdict.runs || tools.options.ecs === formerDefault || !errors.every(({ code }) => mayDepend.has(code)))
    return verdict
  const formerly = await examineAs(file, {
    ...tools,
    options: { ...tools.options, ecs: formerDefault },
    environment: { ...tools.environment, ecs: formerDefault },
  })
  return formerly.runs ? { ...formerly, needs: `pipeline.ecs_compatibility: ${formerDefault}` } : verdict
}

async function examineAs({ path, text }: ConfigFile, tools: ExamineTools): Promise<Verdict> {
  const { options, surroundings } = tools
  surroundings.begin()
  const parts = [{ protocol: 'file', id: path, text }]
  const logged: Diagnostic[] = []
  const environment = { ...tools.environment, logger: collecting(logged) }
  const { draft, sections, diagnostics } = await buildPlan(parts, options)
  const form = formOf(text, diagnostics, sections, options)
  const further = checkDraft(draft, environment, (...found) => refined(...found, text))
  const findings = [...diagnostics, ...further, ...logged].map((diagnostic) =>
    findingOf(diagnostic, form, text),
  )
  findings.push(...surroundingsOf(text, surroundings))
  const shown = concealed(distinct(findings), text)
  shown.sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column)
  const runs = shown.every(({ severity }) => severity === 'note')
  return { file: path, runs, form, sections: [...sections], findings: shown }
}

// ------------------------------------------------------------------------------------------------- form

const templateMark = /<%[=#-]?|\{%|\{\{|\$\{\w*\}\s*\{|<<<?\w+>>>?|^\s*@@?\w+@@?\s*$/m

function formOf(
  text: string,
  diagnostics: readonly Diagnostic[],
  sections: ReadonlySet<SectionType>,
  { escapeAware }: PlanOptions,
): Form {
  if (diagnostics.every(({ code }) => code !== 'syntax'))
    return sections.has('input') && sections.has('output') ? 'pipeline' : 'part'
  if (templateMark.test(text)) return 'template'
  return isReadable(`filter {\n${text}\n}`, escapeAware) ? 'fragment' : 'unreadable'
}

function isReadable(text: string, escapeAware: boolean): boolean {
  try {
    parseConfig(text, { escapeAware })
    return true
  } catch {
    return false
  }
}

const formHints: Readonly<Partial<Record<Form, string>>> = {
  template: 'This is a template; examine what it is rendered to.',
  fragment:
    'The file has no section of its own; put it into `filter { … }`, or into the file that includes it.',
}

// ---------------------------------------------------------------------------------------------- findings

function findingOf(diagnostic: Diagnostic, form: Form, text: string): Finding {
  const { severity, code, message, line, column, subject, brief } = diagnostic
  const hint = diagnostic.hint ?? (code === 'syntax' ? formHints[form] : undefined)
  return {
    severity: severity === 'error' || willNotStart(diagnostic, text) ? 'error' : 'note',
    code,
    message: brief ?? message,
    line,
    column,
    ...(hint !== undefined && { hint }),
    ...(subject !== undefined && { subject }),
  }
}

/** Not said of values that a variable may change. */
function willNotStart({ code, start, end }: Diagnostic, text: string): boolean {
  return code === 'will_not_start' && !text.slice(start, end).includes('${')
}

/** What the errors of plugins mean: which pattern is not defined, which line of the Ruby code is outside. */
function refined(diagnostic: Diagnostic, error: unknown, plugin: PlannedPlugin, text: string): Diagnostic {
  const subject = `${plugin.type} ${plugin.name}`
  if (isMissingFile(error, plugin.options))
    return { ...diagnostic, severity: 'warning', code: 'missing_file', subject: error.path }
  if (mentionsVariable(plugin.raw)) {
    const message = `Cannot be judged without the values of its variables: ${firstLine(diagnostic.message)}`
    return { ...diagnostic, severity: 'warning', code: 'variable', message, subject }
  }
  if (isUnsupportedRuby(error)) return rubyDiagnostic({ ...diagnostic, subject }, error, plugin, text)
  if (!(error instanceof GrokError))
    return { ...diagnostic, subject: `${subject}: ${reasonIn(diagnostic.message)}` }
  const [folder] = missingPatternFolders(plugin.options)
  const missing = folder !== undefined && / not defined$/.test(diagnostic.message)
  return {
    ...diagnostic,
    severity: missing ? 'warning' : 'error',
    code: missing ? 'missing_file' : 'grok_pattern',
    subject: diagnostic.message,
    ...(missing && { message: `${diagnostic.message}: expected in ${folder}, which is not here` }),
  }
}

/** Tells whether a file that an option names is missing here; the machine the configuration is meant for may have it. */
function isMissingFile(
  error: unknown,
  options: Readonly<Record<string, unknown>>,
): error is NodeJS.ErrnoException & { path: string } {
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path !== undefined && mentions(options, path)
}

function mentions(value: unknown, path: string, depth = 0): boolean {
  if (typeof value === 'string') return value === path
  if (typeof value !== 'object' || value === null || depth > 10) return false
  const members = value instanceof Map ? [...value.values()] : Object.values(value)
  return members.some((member) => mentions(member, path, depth + 1))
}

/** What the Ruby compiler throws; told by its name, because the compiler is large and rarely needed. */
interface UnsupportedRuby extends Error {
  readonly problems: readonly string[]
}

function isUnsupportedRuby(error: unknown): error is UnsupportedRuby {
  return error instanceof Error && error.name === 'UnsupportedRuby'
}

const rubyProblem = /^ruby (\w+) line (\d+): ([\s\S]*)$/

function rubyDiagnostic(
  diagnostic: Diagnostic,
  error: UnsupportedRuby,
  { node }: PlannedPlugin,
  text: string,
): Diagnostic {
  const [, option, line, what] = rubyProblem.exec(error.problems[0] ?? '') ?? []
  const value = node.attributes.find(({ name }) => name === option)?.value
  const subject = what === undefined ? diagnostic.subject : firstLine(what)
  const known = { ...diagnostic, code: 'ruby', subject: subject ?? 'ruby' }
  if (value === undefined || line === undefined) return known
  return { ...known, line: lineOfValue(value, Number(line), text), column: 1 }
}

function lineOfValue(value: ValueNode, line: number, text: string): number {
  const last = new LineIndex(text).lineOf(value.place.end)
  return Math.min(last, value.place.line + line - 1)
}

function collecting(into: Diagnostic[]): CheckEnvironment['logger'] {
  return (plugin): PluginLogger => {
    const add = (message: string) => {
      const { line, column } = plugin?.node.place ?? { line: 1, column: 1 }
      const subject = plugin === undefined ? undefined : `${plugin.type} ${plugin.name}`
      into.push({ severity: 'warning', code: 'logged', message, line, column, subject })
    }
    return { debug: () => {}, info: () => {}, warn: add, error: add }
  }
}

function* surroundingsOf(text: string, { variables, files }: Surroundings): Generator<Finding> {
  for (const name of variables) {
    const message = `The variable \${${name}} has no value here.`
    yield { severity: 'note', code: 'variable', message, subject: name, ...placeOf(text, `\${${name}`) }
  }
  for (const { option, path } of files) {
    const message = `\`${option}\`: the file ${path} is not here.`
    yield { severity: 'note', code: 'missing_file', message, subject: path, ...placeOf(text, path) }
  }
}

/** Where a text first stands outside of comments. */
function placeOf(text: string, wanted: string): { line: number; column: number } {
  const lines = text.split('\n')
  const line = lines.findIndex((one) => one.includes(wanted) && !one.trimStart().startsWith('#'))
  return line < 0 ? { line: 1, column: 1 } : { line: line + 1, column: lines[line]!.indexOf(wanted) + 1 }
}

function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, message, line }) => {
    const key = `${code}\0${message}\0${line}`
    return !seen.has(key) && seen.add(key)
  })
}

function rank({ severity }: Finding): number {
  return severity === 'error' ? 0 : 1
}

function concealed(findings: readonly Finding[], text: string): Finding[] {
  if (findings.length === 0) return []
  const secrets = secretValues(text).filter((secret) => secret.length >= 4)
  const hide = (shown: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, () => hiddenMark), shown)
  return findings.map(({ message, hint, subject, ...rest }) => ({
    ...rest,
    message: hide(message),
    ...(hint !== undefined && { hint: hide(hint) }),
    ...(subject !== undefined && { subject: hide(subject) }),
  }))
}

/** Behind the opening words of a plugin that refuses to register. */
function reasonIn(message: string): string {
  return firstLine(message.replace(/^Cannot register .* The error reported is:\n\s*/, ''))
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}
