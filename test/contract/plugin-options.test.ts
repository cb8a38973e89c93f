/**
 * Every option of every built-in plugin is mentioned by a test of that plugin: a table or an example of its own, a
 * test file that imports it, or a configuration in a test that uses it. Options that do nothing say why in their doc.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commonOptions } from '../../src/plugin/common-options.ts'
import type { PluginDefinition, PluginType } from '../../src/plugin/define.ts'
import type { Option } from '../../src/plugin/option.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'

const types: readonly PluginType[] = ['input', 'filter', 'output', 'codec']

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const texts = [
  ...filesBelow('src/plugins').filter((path) => /\.(?:test\.ts|table)$/.test(path)),
  ...filesBelow('src/pipeline').filter((path) => path.endsWith('.test.ts')),
  ...filesBelow('test').filter(
    (path) => /\.(?:test|extra)\.ts$/.test(path) && !path.endsWith('plugin-options.test.ts'),
  ),
  ...filesBelow('examples').filter((path) => path.endsWith('.conf')),
]
  // Those lists name options without trying what they do.
  .filter((path) => !/used-options|old-options/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** What tests a plugin: its table, files that import it, files with a configuration that has it. */
function textsOf({ type, name }: PluginDefinition): string {
  const file = `${name.replaceAll('_', '-')}.ts`
  const isAbout = ({ path, text }: { path: string; text: string }): boolean =>
    path.endsWith(`${type}s/tables/${name}.table`) ||
    path.startsWith(`src/plugins/${type}s/${name.replaceAll('_', '-')}/`) ||
    text.includes(`/${type}s/${file}'`) ||
    (path.includes(`/${type}s/`) && text.includes(`'./${file}'`)) ||
    new RegExp(`\\b${name} (?:\\{|=>)`).test(text)
  return texts
    .filter(isAbout)
    .map(({ text }) => text)
    .join('\n')
}

/** Says that it does nothing here, and why; or what of it cannot be had. */
const withoutEffect =
  /^Accepted for compatibility; |without effect|no longer has|have no effect|\bhas no effect|is ignored|cannot be read|is not supported|only `\w+` (?:is|can|is possible)/i

/** Whether the doc of an option says that it does nothing here, or Logstash itself has dropped it. */
function isWithoutEffect({ doc, obsolete, removed, deprecated }: Option<unknown>): boolean {
  const isDropped = obsolete !== undefined || removed !== undefined
  return isDropped || withoutEffect.test(doc) || withoutEffect.test(deprecated ?? '')
}

interface Declared {
  readonly plugin: string
  readonly option: string
  /** Options that several plugins have are declared once and handled by the same code. */
  readonly declaration: string
  readonly isTested: boolean
}

/** Tests of what plugins share: TLS, HTTP clients, Amazon's services, RabbitMQ, databases. */
const shared = texts
  .filter(
    ({ path }) =>
      /^src\/plugins\/(?!inputs|filters|outputs|codecs)[^/]+\//.test(path) || /tls-servers/.test(path),
  )
  .map(({ text }) => text)
  .join('\n')

function mentions(text: string, option: string): boolean {
  return new RegExp(`\\b${option}\\b`).test(text)
}

async function everyOption(): Promise<Declared[]> {
  const all: Declared[] = []
  for (const type of types) {
    for (const name of catalogue.names(type)) {
      const definition = (await catalogue.load(type, name))!
      const examples = 'examples' in definition ? JSON.stringify(definition.examples ?? []) : ''
      const text = `${textsOf(definition)}\n${examples}`
      for (const [option, declared] of Object.entries(definition.options)) {
        if (isWithoutEffect(declared) || Object.hasOwn(commonOptions(type), option)) continue
        const declaration = `${option} ${declared.kind} ${declared.doc}`
        all.push({
          plugin: `${type} ${name}`,
          option,
          declaration,
          isTested: [option, ...declared.aliases].some((name) => mentions(text, name)),
        })
      }
    }
  }
  return all
}

async function untested(): Promise<string[]> {
  const all = await everyOption()
  const byDeclaration = new Map<string, Declared[]>()
  for (const one of all)
    byDeclaration.set(one.declaration, [...(byDeclaration.get(one.declaration) ?? []), one])
  return all
    .filter(({ declaration, option, isTested }) => {
      const alike = byDeclaration.get(declaration)!
      const isShared = alike.length > 1
      return !isTested && !(isShared && (alike.some((one) => one.isTested) || mentions(shared, option)))
    })
    .map(({ plugin, option }) => `${plugin}: ${option}`)
}

describe('options', () => {
  it('are all mentioned by a test', async () => {
    const found = await untested()
    expect(found, 'need a test, or a doc that says why they do nothing').toEqual([])
  })

  it('that do nothing say why', async () => {
    const silent: string[] = []
    for (const type of types) {
      for (const name of catalogue.names(type)) {
        const { options } = (await catalogue.load(type, name))!
        for (const [option, { doc }] of Object.entries(options))
          if (/^Accepted for compatibility\.$/.test(doc)) silent.push(`${type} ${name}: ${option}`)
      }
    }
    expect(silent).toEqual([])
  })
})
