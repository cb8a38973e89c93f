/**
 * Renders the reference page of a plugin from its declaration, and the pages that list and complete them.
 * Pages depend on nothing but the declarations, so that a stale page can be told from a fresh one.
 */
import { writePrettyJson } from '../../event/json-write.ts'
import type { Fields } from '../../event/value.ts'
import { commonOptions } from '../common-options.ts'
import type { CodecExample, FilterExample, PluginDefinition, PluginType } from '../define.ts'
import type { Option, OptionTable } from '../option.ts'
import { code, defaultText, typeText } from '../option-text.ts'

export const pluginTypes: readonly PluginType[] = ['input', 'filter', 'output', 'codec']

/** Where the page of a plugin stands, relative to the folder of all pages. */
export function pagePath(type: PluginType, name: string): string {
  return `${type}s/${name}.md`
}

export function commonPagePath(type: PluginType): string {
  return `${type}s/common-options.md`
}

export function referencePage(definition: PluginDefinition): string {
  const { name, type, summary, description } = definition
  const own = Object.entries(definition.options)
  return page([
    `# ${name} ${type}`,
    summary,
    description?.trim(),
    minimalExample(definition),
    '## Options',
    own.length === 0 ? 'This plugin has no options of its own.' : optionTable(definition.options),
    `Options that every ${type} has are described in [common options](common-options.md).`,
    ...own.map(([option, declared]) => optionSection(option, declared)),
    ...metricsSection(definition.metrics ?? {}),
    ...examplesSection(definition),
  ])
}

export function commonOptionsPage(type: PluginType): string {
  const table = Object.fromEntries(
    Object.entries(commonOptions(type)).filter(([, { obsolete, removed }]) => !obsolete && !removed),
  )
  const sections = Object.entries(table).map(([option, declared]) => optionSection(option, declared))
  return page([
    `# Common options of ${type}s`,
    `Every ${type} has these options.`,
    optionTable(table),
    ...sections,
  ])
}

export interface IndexEntry {
  type: PluginType
  name: string
  summary: string
  /** Rows of its tables of tests, and examples on its page. */
  rows: number
}

export function indexPage(entries: readonly IndexEntry[]): string {
  const sections = pluginTypes.flatMap((type) => {
    const rows = entries.filter((entry) => entry.type === type)
    if (rows.length === 0) return []
    const lines = rows.map(
      ({ name, summary, rows }) => `| [${name}](${pagePath(type, name)}) | ${cell(summary)} | ${rows} |`,
    )
    return [`## ${title(type)}s`, `| plugin | what it does | rows |\n|---|---|---|\n${lines.join('\n')}`]
  })
  const all = entries.reduce((sum, { rows }) => sum + rows, 0)
  const counted =
    'Rows are examples and lines of the tables of tests that stand beside a plugin: options, what goes in, what ' +
    `comes out. Together they are ${all}; other tests are not counted.`
  return page(['# Plugin reference', 'Generated from the declarations of the plugins.', counted, ...sections])
}

// ------------------------------------------------------------------------------------------------- parts

function page(parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`
}

/** The smallest block that is complete: required options only. */
function minimalExample({ name, type, options }: PluginDefinition): string {
  const required = Object.entries(options).filter(([, declared]) => declared.required)
  if (type === 'codec') return fenced(`codec => ${name}${required.length === 0 ? '' : ' { … }'}`)
  const lines = required.map(([option]) => `    ${option} => …\n`)
  return fenced(`${type} {\n  ${name} {${lines.length === 0 ? ' }' : `\n${lines.join('')}  }`}\n}`)
}

function optionTable(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, declared]) => {
    const cells = [
      `[${name}](#${name})`,
      cell(typeText(declared)),
      cell(defaultText(declared)),
      declared.required ? 'yes' : '',
      declared.obsolete || declared.removed ? 'obsolete' : declared.deprecated ? 'deprecated' : '',
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `| option | type | default | required | |\n|---|---|---|---|---|\n${rows.join('\n')}`
}

function optionSection(name: string, declared: Option<unknown>): string {
  const facts = [`Type: ${typeText(declared)}.`]
  if (declared.required) facts.push('Required.')
  if (declared.default !== undefined) facts.push(`Default: ${defaultText(declared)}.`)
  if (declared.aliases.length > 0) facts.push(`Also accepted as ${declared.aliases.map(code).join(', ')}.`)
  const lines = [`### ${name}`, facts.join(' '), declared.doc]
  if (declared.deprecated) lines.push(`Deprecated: ${declared.deprecated}`)
  if (declared.obsolete) lines.push(`Obsolete: ${declared.obsolete}`)
  if (declared.removed) lines.push(`Logstash no longer knows this option. ${declared.removed}`)
  if (declared.accepted) lines.push(`Accepted all the same, except with \`--strict\`. ${declared.accepted}`)
  return lines.join('\n\n')
}

function metricsSection(metrics: Readonly<Record<string, string>>): string[] {
  const names = Object.entries(metrics)
  if (names.length === 0) return []
  const rows = names.map(([name, meaning]) => `| ${code(name)} | ${cell(meaning)} |`)
  return ['## Metrics', `| metric | meaning |\n|---|---|\n${rows.join('\n')}`]
}

function examplesSection(definition: PluginDefinition): string[] {
  if (definition.type === 'filter') return titled(definition.examples ?? [], filterExample)
  return definition.type === 'codec' ? titled(definition.examples ?? [], codecExample) : []
}

function titled<E extends { title: string; config: string }>(
  examples: readonly E[],
  body: (example: E) => string[],
): string[] {
  if (examples.length === 0) return []
  return [
    '## Examples',
    ...examples.flatMap((example) => [`### ${example.title}`, fenced(example.config), ...body(example)]),
  ]
}

function filterExample(example: FilterExample): string[] {
  const given = [example.in].flat()
  const results = [example.out].flat().filter((fields) => fields !== null)
  const outcome = results.length === 0 ? ['No event comes out.'] : ['comes out as', json(results)]
  return [given.length === 1 ? 'The event' : 'The events', json(given), ...outcome]
}

function codecExample({ decode, encode }: CodecExample): string[] {
  const parts: string[] = []
  if (decode) parts.push('The text', fenced(decode.text), 'is read as', json(decode.out))
  if (encode) parts.push('The event', json([encode.in]), 'is written as', fenced(encode.text))
  return parts
}

function json(events: readonly Fields[]): string {
  return fenced(events.map((fields) => writePrettyJson(fields, 2)).join('\n'), 'json')
}

function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function cell(text: string): string {
  return text.replace(/\r?\n/g, ' ').replaceAll('|', '\\|')
}

function title(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
