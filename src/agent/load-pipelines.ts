/** Reads the configured pipelines: which there are, and the texts of each. */
import { Logger } from '../log/logger.ts'
import { loadConfigParts } from '../settings/config-sources.ts'
import { resolvePipelines } from '../settings/pipelines-file.ts'
import type { Settings } from '../settings/settings.ts'
import type { VariableLookup } from '../settings/substitution.ts'
import type { PipelineConfig } from './pipeline-state.ts'
import { warningsOfIgnored } from './without-effect.ts'

export class PipelineLoader {
  #settings: Settings
  #variables: VariableLookup
  #logger = new Logger('logstash.config.sourceloader')
  #told = new Set<string>()

  constructor(settings: Settings, variables: VariableLookup) {
    this.#settings = settings
    this.#variables = variables
  }

  /** Those without any text are among them. */
  async load(): Promise<PipelineConfig[]> {
    const { pipelines, warnings } = await resolvePipelines(this.#settings, this.#variables)
    for (const { kind, message } of warnings) this.#once(message, kind)
    for (const settings of pipelines)
      for (const message of warningsOfIgnored(settings)) this.#once(message, 'warning')
    const configs = await Promise.all(
      pipelines.map(async (settings) => ({
        id: settings.get('pipeline.id'),
        settings,
        parts: await loadConfigParts(settings),
      })),
    )
    if (configs.every(({ parts }) => parts.length === 0))
      this.#once('No configuration found in the configured sources.', 'info')
    return configs
  }

  /** Automatic reload reads every few seconds; a warning is worth saying once. */
  #once(message: string, kind: string): void {
    if (this.#told.has(message)) return
    this.#told.add(message)
    if (kind === 'info') this.#logger.info(message)
    else this.#logger.warn(message)
  }
}
