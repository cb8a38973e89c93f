/**
 * An index of the target: created with the mappings and settings of the source that the target knows, quiet while it is
 * filled (no refreshes, no pipelines, tombstones forgotten at once), and with the settings and aliases of the source at
 * the end.
 */

import type { Json } from './definitions.ts'
import { part, Refusal, type SearchStore } from './search-store.ts'

type Tree = { [name: string]: unknown }

export interface IndexDefinition {
  readonly uuid: string
  readonly mappings: Json
  /** Settings with dotted names that begin with `index.`. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly aliases: Readonly<Record<string, Json>>
}

/** What the source alone can say about an index, and what is set at the end. */
const ofTheSource =
  /^index\.(?:uuid|creation_date|creation_date_string|provided_name|history\.uuid|version\..*|resize\..*|routing\.allocation\..*|blocks\..*|verified_before_close|soft_deletes\..*|replication\..*|store\..*|transform\..*|hidden_by.*)$/
const whileFilling: Readonly<Record<string, unknown>> = {
  'index.refresh_interval': '-1',
  'index.default_pipeline': '_none',
  'index.final_pipeline': '_none',
  // A document that was deleted and written again may have a lower version than the one that was copied first.
  'index.gc_deletes': '0s',
}
const maxTries = 100

export async function readIndex(store: SearchStore, index: string): Promise<IndexDefinition | undefined> {
  const found = await store.find<
    Record<string, { mappings: Json; settings: Json; aliases: Record<string, Json> }>
  >(`/${part(index)}?flat_settings=true`)
  const one = found?.[index]
  if (one === undefined) return undefined
  const { mappings, settings, aliases } = one
  return { uuid: String(settings['index.uuid']), mappings, settings, aliases }
}

/** Creates the index; returns what the target did not take, in words. */
export async function createIndex(
  target: SearchStore,
  name: string,
  { mappings, settings }: IndexDefinition,
): Promise<string[]> {
  const own = Object.entries(settings).filter(([key]) => !ofTheSource.test(key))
  const body = {
    settings: { ...Object.fromEntries(own), ...whileFilling } as Tree,
    mappings: structuredClone(mappings) as Tree,
  }
  return taken(body, async () => {
    try {
      await target.json('PUT', `/${part(name)}`, body)
    } catch (error) {
      // The answer to an earlier attempt got lost.
      if (!(error instanceof Refusal && /already exists/.test(error.reason))) throw error
    }
  })
}

/** The target's mapping becomes the source's, so that it never has to guess the type of a field. */
export async function putMapping(target: SearchStore, name: string, mappings: Json): Promise<string[]> {
  const body = { mappings: structuredClone(mappings) as Tree, settings: {} }
  return taken(body, () => target.json('PUT', `/${part(name)}/_mapping`, body.mappings))
}

export async function quietIndex(target: SearchStore, name: string): Promise<void> {
  await target.json('PUT', `/${part(name)}/_settings`, whileFilling)
}

/** The settings of the source that were left out while the index was filled, and its blocks but `ownBlock`. */
export async function finishSettings(
  target: SearchStore,
  name: string,
  { settings }: IndexDefinition,
  hasOwnBlock: boolean,
): Promise<void> {
  const left: Tree = {}
  for (const key of Object.keys(whileFilling)) left[key] = settings[key] ?? null
  for (const [key, value] of Object.entries(settings))
    if (key.startsWith('index.blocks.') && !(hasOwnBlock && key === 'index.blocks.write')) left[key] = value
  await target.json('PUT', `/${part(name)}/_settings`, left)
}

export async function putAliases(
  target: SearchStore,
  index: string,
  aliases: IndexDefinition['aliases'],
): Promise<void> {
  const actions = Object.entries(aliases).map(([alias, options]) => ({ add: { index, alias, ...options } }))
  if (actions.length > 0) await target.json('POST', '/_aliases', { actions })
}

/** Sends until the target takes it, without what it names as unknown. */
async function taken(
  body: { settings: Tree; mappings: Tree },
  send: () => Promise<unknown>,
): Promise<string[]> {
  const dropped: string[] = []
  for (let tries = 0; ; tries++) {
    try {
      await send()
      return dropped
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400 || tries >= maxTries) throw error
      const said = withoutUnknown(body, error.reason)
      if (said === undefined) throw error
      dropped.push(said)
    }
  }
}

function withoutUnknown(body: { settings: Tree; mappings: Tree }, reason: string): string | undefined {
  const setting =
    /unknown setting \[([^\]]+)\]/.exec(reason)?.[1] ??
    /(?:private|final) (?:index )?setting \[([^\]]+)\]/.exec(reason)?.[1]
  if (setting !== undefined && Object.hasOwn(body.settings, setting)) {
    delete body.settings[setting]
    return `setting ${setting}`
  }
  const parameter =
    /unknown (?:mapping )?parameter \[([^\]]+)\] on mapper \[([^\]]+)\] of type \[([^\]]+)\]/.exec(reason)
  if (parameter !== null) {
    const [, name = '', field, type] = parameter
    let isFound = false
    eachField(body.mappings, (found, mapping) => {
      if (found !== field || mapping['type'] !== type || !Object.hasOwn(mapping, name)) return
      delete mapping[name]
      isFound = true
    })
    return isFound ? `parameter ${name} of field ${field}` : undefined
  }
  const handler = /No handler for type \[([^\]]+)\] declared on field \[([^\]]+)\]/.exec(reason)
  if (handler === null) return undefined
  const [, type, field] = handler
  let isFound = false
  eachField(body.mappings, (found, mapping) => {
    if (found !== field || mapping['type'] !== type) return
    // Documents keep the field in their source; searches do not find it.
    for (const key of Object.keys(mapping)) delete mapping[key]
    mapping['type'] = 'object'
    mapping['enabled'] = false
    isFound = true
  })
  return isFound ? `type ${type} of field ${field}, which is kept and cannot be searched` : undefined
}

/** Every field and subfield of a mapping, by its last name. */
function eachField(mapping: Tree, visit: (name: string, mapping: Tree) => void): void {
  const open = [mapping]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const group of ['properties', 'fields']) {
      const fields = one[group]
      if (typeof fields !== 'object' || fields === null) continue
      for (const [name, field] of Object.entries(fields as Record<string, Tree>)) {
        open.push(field)
        visit(name, field)
      }
    }
  }
}
