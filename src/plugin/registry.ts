/**
 * Finds plugins by type and name: the built-in catalogue first, then packages and files that other people
 * wrote. Those are looked for only when a name is not built in, so a usual start reads no directory.
 */
import { loadPatterns } from '../regex/late-pattern.ts'
import type { PluginDefinition, PluginType } from './define.ts'
import { DiscoveryError, type DiscoverySettings, discover, type FoundPlugin } from './discovery.ts'
import { neverSupported } from './never-supported.ts'
import { suggest } from './suggest.ts'

export interface PluginSource {
  names(type: PluginType): string[]
  /** The definition, or undefined when the source does not have it. */
  load(type: PluginType, name: string): Promise<PluginDefinition | undefined>
}

/** Why a plugin of the configuration cannot be used. */
interface PluginProblem {
  code: 'unknown_plugin' | 'plugin_conflict' | 'plugin_broken'
  message: string
  hint?: string | undefined
}

type FindResult = { definition: PluginDefinition } | { problem: PluginProblem }

export class Registry implements PluginSource {
  readonly #builtIn: PluginSource
  readonly #settings: DiscoverySettings
  #found: Promise<FoundPlugin[]> | undefined

  constructor(builtIn: PluginSource, settings: DiscoverySettings = {}) {
    this.#builtIn = builtIn
    this.#settings = settings
  }

  /** Names of the built-in plugins. */
  names(type: PluginType): string[] {
    return this.#builtIn.names(type)
  }

  /** Plugins of other people, with the package or file each comes from. */
  thirdParty(): Promise<FoundPlugin[]> {
    this.#found ??= discover(this.#settings)
    return this.#found
  }

  /** Begins to load a built-in plugin and, for inputs and outputs, its default codec. */
  async prefetch(type: PluginType, name: string): Promise<void> {
    try {
      const definition = await this.#builtIn.load(type, name)
      if (definition?.type === 'input' || definition?.type === 'output') {
        await this.#builtIn.load('codec', definition.codec ?? 'plain')
      }
    } catch {
      // `find` meets the same error and reports it.
    }
  }

  async load(type: PluginType, name: string): Promise<PluginDefinition | undefined> {
    const builtIn = await this.#builtIn.load(type, name)
    if (builtIn !== undefined) return builtIn
    const found = await this.thirdParty()
    // What they compile is theirs to decide.
    await loadPatterns()
    const [first, second] = found.filter(
      ({ definition }) => definition.type === type && definition.name === name,
    )
    if (first !== undefined && second !== undefined) {
      throw new DiscoveryError(
        'plugin_conflict',
        `Two packages define the ${type} plugin '${name}': ${first.origin} and ${second.origin}.`,
      )
    }
    return first?.definition
  }

  /** The plugin a configuration names, or the sentence that says why there is none. */
  async find(type: PluginType, name: string): Promise<FindResult> {
    try {
      const definition = await this.load(type, name)
      return definition === undefined ? { problem: await this.#unknown(type, name) } : { definition }
    } catch (error) {
      if (!(error instanceof DiscoveryError)) throw error
      return { problem: { code: error.code, message: error.message } }
    }
  }

  async #unknown(type: PluginType, name: string): Promise<PluginProblem> {
    return {
      code: 'unknown_plugin',
      message:
        `Couldn't find any ${type} plugin named '${name}'. Are you sure this is correct? ` +
        `Trying to load the ${name} ${type} plugin resulted in this error: ` +
        `Unable to load the requested plugin named ${name} of type ${type}. The plugin is not installed.`,
      hint: await this.#hint(type, name),
    }
  }

  async #hint(type: PluginType, name: string): Promise<string | undefined> {
    const bare = name.replace(/^(["'])(.*)\1$/, '$2')
    if (bare !== name) return `write the plugin name without quotes: ${bare}`
    const reason = neverSupported(type, name)
    if (reason !== undefined) return `this plugin will not be supported: ${reason}`
    const others = (await this.thirdParty()).filter((found) => found.definition.type === type)
    const near = suggest(name, [...this.names(type), ...others.map((found) => found.definition.name)])
    if (near !== undefined) return `did you mean \`${near}\`?`
    const other = pluginTypes.find((candidate) => candidate !== type && this.names(candidate).includes(name))
    if (other === undefined) return undefined
    return `\`${name}\` exists as ${other === 'input' || other === 'output' ? 'an' : 'a'} ${other}`
  }
}

const pluginTypes: readonly PluginType[] = ['input', 'filter', 'output', 'codec']
