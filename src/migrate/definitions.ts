/**
 * What stands beside the indices: ingest pipelines, stored scripts, component templates, index templates and the older
 * templates. One that the target has already stays as it is there unless it may be replaced; those that a product brings
 * along are left alone.
 */
import { isDeepStrictEqual } from 'node:util'
import { part, Refusal, type SearchStore } from './search-store.ts'

/** A JSON object as an API gives it. */
export type Json = Readonly<Record<string, unknown>>

interface Kind {
  readonly title: string
  readonly path: string
  read(store: SearchStore): Promise<ReadonlyMap<string, Json>>
}

/** In the order in which they need each other. */
const kinds: readonly Kind[] = [
  {
    title: 'ingest pipeline',
    path: '/_ingest/pipeline/',
    read: async (store) => byName(await store.find<Record<string, Json>>('/_ingest/pipeline')),
  },
  {
    title: 'stored script',
    path: '/_scripts/',
    async read(store) {
      const state = await store.find<{ metadata?: { stored_scripts?: Record<string, Json> } }>(
        '/_cluster/state/metadata?filter_path=metadata.stored_scripts',
      )
      const scripts = Object.entries(state?.metadata?.stored_scripts ?? {})
      return byName(Object.fromEntries(scripts.map(([name, script]) => [name, { script }])))
    },
  },
  {
    title: 'component template',
    path: '/_component_template/',
    async read(store) {
      const found = await store.find<{
        component_templates: { name: string; component_template: Json }[]
      }>('/_component_template')
      return new Map(found?.component_templates.map((one) => [one.name, one.component_template]))
    },
  },
  {
    title: 'index template',
    path: '/_index_template/',
    async read(store) {
      const found = await store.find<{ index_templates: { name: string; index_template: Json }[] }>(
        '/_index_template',
      )
      return new Map(found?.index_templates.map((one) => [one.name, one.index_template]))
    },
  },
  {
    title: 'template',
    path: '/_template/',
    read: async (store) => byName(await store.find<Record<string, Json>>('/_template')),
  },
]

interface DefinitionReport {
  readonly copied: readonly string[]
  readonly same: number
  /** Left as they are at the target. */
  readonly different: readonly string[]
  /** The target does not take them, with its reason. */
  readonly refused: readonly string[]
}

export async function copyDefinitions(
  source: SearchStore,
  target: SearchStore,
  { mayReplace, isDryRun }: { readonly mayReplace: boolean; readonly isDryRun: boolean },
): Promise<DefinitionReport> {
  const [copied, different, refused]: string[][] = [[], [], []]
  let same = 0
  for (const { title, path, read } of kinds) {
    const theirs = await read(target)
    for (const [name, definition] of await read(source)) {
      if (isBuiltIn(name, definition)) continue
      const there = theirs.get(name)
      if (there !== undefined && isDeepStrictEqual(plain(there), plain(definition))) same += 1
      else if (there !== undefined && !mayReplace) different!.push(`${title} ${name}`)
      else if (isDryRun) copied!.push(`${title} ${name}`)
      else {
        try {
          await target.json('PUT', path + part(name), plain(definition))
          copied!.push(`${title} ${name}`)
        } catch (error) {
          if (!(error instanceof Refusal) || error.status >= 500) throw error
          refused!.push(`${title} ${name}: ${error.reason}`)
        }
      }
    }
  }
  return { copied: copied!, same, different: different!, refused: refused! }
}

function byName(found: Record<string, Json> | undefined): ReadonlyMap<string, Json> {
  return new Map(Object.entries(found ?? {}))
}

function isBuiltIn(name: string, { _meta }: Json): boolean {
  return name.startsWith('.') || (_meta as { managed?: unknown } | undefined)?.managed === true
}

/** Without what the product itself adds to an answer. */
function plain(definition: Json): Json {
  const own = Object.entries(definition).filter(
    ([name]) => !/^(?:created_date|modified_date|created_date_millis|modified_date_millis)$/.test(name),
  )
  return Object.fromEntries(own)
}
