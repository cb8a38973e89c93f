/**
 * Which pipelines to run: the one of `-e` or `-f`, or those of pipelines.yml. There each entry is a flat map of
 * settings that lie over the settings of the process; only settings of a pipeline are allowed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from '../log/ruby-inspect.ts'
import { rubyClass } from './coerce.ts'
import {
  definitionOf,
  deprecatedPipelineSettings,
  pipelineSettingNames,
  type SettingName,
} from './definitions.ts'
import { nearestName, SettingsError } from './errors.ts'
import { coerceOrInvalid } from './read-settings.ts'
import type { Settings, SettingsWarning } from './settings.ts'
import { substituteDocument, type VariableLookup } from './substitution.ts'
import type { AnyValue } from './values.ts'
import { parseYaml } from './yaml-text.ts'

/** Settings of one pipeline; `get('pipeline.id')` names it. */
type PipelineSettings = Settings

export interface ResolvedPipelines {
  readonly pipelines: readonly PipelineSettings[]
  readonly warnings: readonly SettingsWarning[]
}

const maxPipelines = 10_000
const allowed: ReadonlySet<string> = new Set(pipelineSettingNames)

export async function resolvePipelines(
  settings: Settings,
  variables: VariableLookup,
): Promise<ResolvedPipelines> {
  if (settings.get('config.string') === null && !settings.get('path.config')) {
    return readPipelinesFile(settings, variables)
  }
  const message = `Ignoring the 'pipelines.yml' file because command line options are specified`
  return { pipelines: [settings], warnings: [{ kind: 'warning', message }] }
}

export async function readPipelinesFile(
  settings: Settings,
  variables: VariableLookup,
): Promise<ResolvedPipelines> {
  const path = join(settings.get('path.settings'), 'pipelines.yml')
  const entries = await readEntries(path)
  const warnings: SettingsWarning[] = []
  const pipelines: PipelineSettings[] = []
  for (const [index, entry] of entries.entries()) {
    if (!(entry instanceof Map)) {
      throw new SettingsError(
        `Pipelines YAML file must contain an array of pipeline configs. Entry ${index + 1} is "${rubyClass(entry)}" in ${path}`,
      )
    }
    pipelines.push(
      overlayOf(settings, substituteDocument(entry, variables) as Map<unknown, unknown>, warnings),
    )
  }
  refuseDuplicates(pipelines, path)
  return { pipelines, warnings }
}

async function readEntries(path: string): Promise<unknown[]> {
  let document: unknown
  try {
    document = await parseYaml(await readFile(path, 'utf8'))
  } catch (error) {
    throw new SettingsError(`Failed to read pipelines yaml file. Location: ${path}`, {
      hint: (error as Error).message,
      cause: error,
    })
  }
  if (document === null || document === undefined || document === false) {
    throw new SettingsError(`Pipelines YAML file is empty. Location: ${path}`)
  }
  if (!Array.isArray(document)) {
    throw new SettingsError(
      `Pipelines YAML file must contain an array of pipeline configs. Found "${rubyClass(document)}" in ${path}`,
    )
  }
  if (document.length > maxPipelines)
    throw new SettingsError(`More than ${maxPipelines} pipelines in ${path}`)
  return document
}

function overlayOf(
  settings: Settings,
  entry: Map<unknown, unknown>,
  warnings: SettingsWarning[],
): PipelineSettings {
  const values = new Map<SettingName, AnyValue>()
  const id = entry.get('pipeline.id')
  for (const [rawKey, value] of entry) {
    const key = String(rawKey)
    if (deprecatedPipelineSettings.has(key)) {
      const message = `Config option "${key}", set for pipeline "${id ?? ''}", is deprecated as a pipeline override setting. Please only set it at the process level.`
      warnings.push({ kind: 'deprecation', message })
      continue
    }
    if (!isAllowed(key)) throw notAllowed(key)
    const { ignored } = definitionOf[key]
    if (ignored !== undefined)
      warnings.push({ kind: 'warning', message: `Setting "${key}" is ignored: ${ignored}.` })
    values.set(key, coerceOrInvalid(key, value))
  }
  const pipeline = settings.overlay(values)
  if (pipeline.get('config.string') === null && !pipeline.get('path.config')) {
    const message = `Pipeline "${pipeline.get('pipeline.id')}" has neither path.config nor config.string in pipelines.yml and is not started.`
    warnings.push({ kind: 'warning', message })
  }
  return pipeline
}

function refuseDuplicates(pipelines: readonly PipelineSettings[], path: string): void {
  const counts = new Map<string, number>()
  for (const pipeline of pipelines) {
    const id = pipeline.get('pipeline.id')
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const duplicates = [...counts].filter(([, count]) => count > 1).map(([id]) => id)
  if (duplicates.length === 0) return
  throw new SettingsError(
    `Pipelines YAML file contains duplicate pipeline ids: ${inspect(duplicates)}. Location: ${path}`,
  )
}

function isAllowed(key: string): key is (typeof pipelineSettingNames)[number] {
  return allowed.has(key)
}

function notAllowed(key: string): SettingsError {
  const near = nearestName(key, pipelineSettingNames)
  return new SettingsError(
    `Only pipeline related settings are expected. Received "${key}". Allowed settings: ${inspect(pipelineSettingNames)}`,
    { hint: near === undefined ? undefined : `Did you mean "${near}"?` },
  )
}
