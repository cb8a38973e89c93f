/**
 * The compiled pipeline against a naive interpreter, on random filters and random events; and the config
 * check on random configurations, which may find anything but must never throw.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryConfig, arbitraryNonsense, mutationsOf } from '../../src/lang/arbitrary-config.ts'
import type { Attribute, Config, PluginNode, SectionType, Statement, ValueNode } from '../../src/lang/ast.ts'
import { print } from '../../src/lang/printer.ts'
import type { PluginType } from '../../src/plugin/define.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { eventJson, printStages, stages } from '../support/arbitrary-filters.ts'
import { check, eventOf, openPipeline } from '../support/in-process.ts'
import { fromJson, type NaiveEvent, runStages, toJson } from '../support/naive.ts'

const runs = process.env['MILLRACE_LONG'] === undefined ? 400 : 20_000

describe('compiled filters', () => {
  it('do what a naive interpreter does, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(stages, fc.array(eventJson, { maxLength: 6 }), async (list, events) => {
        // The interpreter walks hashes as they are written.
        const pipeline = await openPipeline(printStages(list), { 'compat.hash_order': 'written' })
        const compiled = (await pipeline.run(events.map(eventOf))).map((event) =>
          fromJson(JSON.parse(event.toJson())),
        )
        const naive = runStages(events.map(start), list)
        expect(compiled.map(sorted)).toEqual(naive.map(sorted))
      }),
      { numRuns: runs },
    )
  }, 600_000)
})

function start(json: string): NaiveEvent {
  return (fromJson(JSON.parse(json)) as NaiveEvent).set('@version', '1')
}

/** Order of members does not count; order of events and list items does. */
function sorted(value: unknown): string {
  return JSON.stringify(toJson(value as NaiveEvent), (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))
      : item,
  )
}

// ------------------------------------------------------------------------------------------ config check

/** Gives about two of three plugins and options of a random configuration real names. */
class RealNames {
  #picks: readonly number[]
  #next = 0
  #options: ReadonlyMap<string, readonly string[]>

  constructor(picks: readonly number[], options: ReadonlyMap<string, readonly string[]>) {
    this.#picks = picks
    this.#options = options
  }

  #pick(names: readonly string[]): string | undefined {
    const n = this.#picks[this.#next++ % this.#picks.length]!
    return n % 3 === 0 || names.length === 0 ? undefined : names[Math.floor(n / 3) % names.length]
  }

  config(config: Config): Config {
    return {
      ...config,
      sections: config.sections.map((section) => ({
        ...section,
        body: section.body.map((statement) => this.#statement(statement, section.type)),
      })),
    }
  }

  #statement(statement: Statement, type: SectionType): Statement {
    if (statement.kind === 'plugin') return this.#plugin(statement, type)
    return {
      ...statement,
      cases: statement.cases.map((branch) => ({
        ...branch,
        body: branch.body.map((inner) => this.#statement(inner, type)),
      })),
      otherwise: statement.otherwise?.map((inner) => this.#statement(inner, type)),
    }
  }

  #plugin(node: PluginNode, type: PluginType): PluginNode {
    const name = this.#pick(catalogue.names(type)) ?? node.name
    const attributes = node.attributes.map((attribute) => this.#attribute(attribute, `${type}/${name}`))
    return { ...node, name, attributes }
  }

  #attribute(attribute: Attribute, plugin: string): Attribute {
    const name = this.#pick([
      ...(this.#options.get(plugin) ?? []),
      'codec',
      'id',
      'add_field',
      'remove_field',
    ])
    const value = this.#value(attribute.value)
    return name === undefined ? { ...attribute, value } : { ...attribute, name, quoted: false, value }
  }

  #value(value: ValueNode): ValueNode {
    return value.kind === 'plugin' ? this.#plugin(value, 'codec') : value
  }
}

async function optionNames(): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  for (const type of ['input', 'filter', 'output', 'codec'] as const) {
    for (const name of catalogue.names(type)) {
      const definition = await catalogue.load(type, name)
      names.set(`${type}/${name}`, Object.keys(definition?.options ?? {}))
    }
  }
  return names
}

describe('the config check', () => {
  it('reports problems of any configuration and never throws', async () => {
    const options = await optionNames()
    const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(arbitraryConfig, picks, async (config, numbers) => {
        const text = print(new RealNames(numbers, options).config(config))
        for (const { message, severity, line, column } of await check(text)) {
          expect(message).not.toBe('')
          expect(['error', 'warning']).toContain(severity)
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
        }
      }),
      { numRuns: runs },
    )
  }, 600_000)

  it('reports problems of any text and never throws', async () => {
    const texts = fc.oneof(arbitraryNonsense, mutationsOf(arbitraryConfig.map(print)))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(Array.isArray(await check(text))).toBe(true)
      }),
      { numRuns: runs },
    )
  }, 600_000)
})
