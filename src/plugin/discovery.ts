/**
 * Plugins of other people. An npm package says so in its package.json:
 *   "millrace": { "plugins": ["./filter.js"], "api": 1 }
 * and is found in `node_modules` by its name (`millrace-…`, `@scope/millrace-…`) or because a setting lists
 * it. A plugin folder is such a package, or holds loose files: `filters/name.js`.
 * Every plugin file has one definition, or a list of them, as default export.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { PluginDefinition, PluginType } from './define.ts'

const apiVersion = 1

export interface DiscoverySettings {
  /** Folders whose `node_modules` are searched, nearest first; `usualRoots` unless given. */
  roots?: readonly string[]
  /** Names of packages that do not follow the naming rule. */
  packages?: readonly string[]
  /** `--path.plugins`: package folders, or folders of loose files. */
  folders?: readonly string[]
}

export interface FoundPlugin {
  definition: PluginDefinition
  /** Package name or file, for messages. */
  origin: string
}

/** A package or plugin file that cannot be used as it is. */
export class DiscoveryError extends Error {
  readonly code: 'plugin_conflict' | 'plugin_broken'

  constructor(code: DiscoveryError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DiscoveryError'
    this.code = code
  }
}

const types: readonly PluginType[] = ['input', 'filter', 'output', 'codec']
const maxPackages = 1000
const maxFilesPerFolder = 1000

/** The program's own folder and the working directory. */
function usualRoots(): string[] {
  const roots: string[] = []
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    roots.push(folder)
    if (folder === dirname(folder)) break
  }
  return [...roots, process.cwd()]
}

export async function discover(settings: DiscoverySettings): Promise<FoundPlugin[]> {
  const modules = (settings.roots ?? usualRoots()).map((root) => join(root, 'node_modules'))
  const packages = new Map<string, string>()
  for (const folder of modules) {
    for (const name of await packageNames(folder, settings.packages ?? [])) {
      // The same package further up is an older copy that nobody would resolve to.
      if (!packages.has(name)) packages.set(name, await realpath(join(folder, name)))
    }
  }
  const found: FoundPlugin[] = []
  for (const folder of packages.values()) found.push(...(await loadPackage(folder)))
  const known = new Set(packages.values())
  for (const given of settings.folders ?? []) found.push(...(await loadFolder(resolve(given), known)))
  return found
}

async function packageNames(modules: string, listed: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for (const name of await entries(modules)) {
    if (name.startsWith('millrace-')) names.push(name)
    else if (name.startsWith('@')) {
      for (const inner of await entries(join(modules, name))) {
        if (inner.startsWith('millrace-')) names.push(`${name}/${inner}`)
      }
    }
  }
  for (const name of listed) {
    const folder = join(modules, name)
    if (isInside(folder, modules) && (await exists(folder))) names.push(name)
  }
  if (names.length > maxPackages) {
    throw new DiscoveryError('plugin_broken', `More than ${maxPackages} plugin packages in ${modules}.`)
  }
  return names
}

async function loadFolder(folder: string, packages: ReadonlySet<string>): Promise<FoundPlugin[]> {
  if (!(await exists(folder)))
    throw new DiscoveryError('plugin_broken', `You specified a plugin path that does not exist: ${folder}`)
  const found: FoundPlugin[] = []
  if ((await exists(join(folder, 'package.json'))) && !packages.has(await realpath(folder))) {
    found.push(...(await loadPackage(folder)))
  }
  for (const type of types) {
    const inner = join(folder, `${type}s`)
    const files = (await entries(inner)).filter(
      (name) => /\.(js|mjs|ts)$/.test(name) && !/\.(test|d)\.\w+$/.test(name),
    )
    if (files.length > maxFilesPerFolder)
      throw new DiscoveryError('plugin_broken', `More than ${maxFilesPerFolder} plugin files in ${inner}.`)
    for (const name of files.sort()) {
      const definitions = await loadFile(join(inner, name))
      const wrong = definitions.find((definition) => definition.type !== type)
      if (wrong !== undefined) {
        throw new DiscoveryError(
          'plugin_broken',
          `${join(inner, name)} defines a plugin of type ${wrong.type}; it belongs into ${wrong.type}s.`,
        )
      }
      found.push(...definitions.map((definition) => ({ definition, origin: join(inner, name) })))
    }
  }
  return found
}

interface Manifest {
  name?: unknown
  millrace?: { plugins?: unknown; api?: unknown }
}

async function loadPackage(folder: string): Promise<FoundPlugin[]> {
  const manifest = await readManifest(join(folder, 'package.json'))
  const declared = manifest?.millrace
  if (typeof declared !== 'object' || declared === null) return []
  const origin = typeof manifest?.name === 'string' ? manifest.name : folder
  if (declared.api !== apiVersion) {
    throw new DiscoveryError(
      'plugin_broken',
      `The plugin package ${origin} is written for plugin API ${String(declared.api)}; this is API ${apiVersion}.`,
    )
  }
  const plugins = declared.plugins
  if (!Array.isArray(plugins) || !plugins.every((file) => typeof file === 'string')) {
    throw new DiscoveryError(
      'plugin_broken',
      `The package.json of ${origin} must list its plugin files in "millrace": { "plugins": [] }.`,
    )
  }
  const found: FoundPlugin[] = []
  for (const file of plugins) {
    const path = join(folder, file)
    if (!isInside(path, folder))
      throw new DiscoveryError(
        'plugin_broken',
        `The plugin file ${file} lies outside of its package ${origin}.`,
      )
    found.push(...(await loadFile(path)).map((definition) => ({ definition, origin })))
  }
  return found
}

async function readManifest(file: string): Promise<Manifest | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    const manifest: unknown = JSON.parse(text)
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined
  } catch (error) {
    throw new DiscoveryError('plugin_broken', `${file} is not valid JSON: ${(error as Error).message}`, error)
  }
}

async function loadFile(file: string): Promise<PluginDefinition[]> {
  let exported: unknown
  try {
    exported = ((await import(pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (error) {
    throw new DiscoveryError(
      'plugin_broken',
      `The plugin file ${file} could not be loaded: ${(error as Error).message}`,
      error,
    )
  }
  const definitions = Array.isArray(exported) ? exported : [exported]
  if (!definitions.every(isDefinition)) {
    throw new DiscoveryError(
      'plugin_broken',
      `The default export of ${file} is not a plugin definition (defineFilter, defineInput, …).`,
    )
  }
  return definitions
}

function isDefinition(value: unknown): value is PluginDefinition {
  if (typeof value !== 'object' || value === null) return false
  const { type, name, options, create } = value as Partial<PluginDefinition>
  return (
    types.includes(type as PluginType) &&
    typeof name === 'string' &&
    typeof options === 'object' &&
    typeof create === 'function'
  )
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    return []
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`)
}
