/**
 * Templates on the disk, a file per version, replaced as a whole when a template is new or changed. A file that cannot
 * be read, such as one of Logstash, which has a form of its own, is left behind with a warning.
 */
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PluginLogger } from '../../../plugin/define.ts'
import type { FlowField } from './field-tables.ts'
import type { Template, TemplateCache, Version } from './templates.ts'

const names: Readonly<Record<Version, string>> = { 9: 'netflow_templates.cache', 10: 'ipfix_templates.cache' }
const form = 'millrace-templates-1'
const maxFileBytes = 64 * 1024 * 1024

type SavedField = readonly [length: number, name?: string, kind?: string]

export class TemplateFiles {
  readonly #folder: string
  readonly #logger: PluginLogger
  #isLoading = false

  constructor(folder: string, logger: PluginLogger) {
    this.#folder = folder
    this.#logger = logger
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new Error(`Template cache directory ${folder} not writable`)
    }
  }

  load(versions: ReadonlySet<number>, cache: TemplateCache): void {
    this.#isLoading = true
    for (const version of [9, 10] as const) {
      const path = join(this.#folder, names[version])
      if (!versions.has(version) || !existsSync(path)) continue
      try {
        this.#read(path, version, cache)
      } catch (error) {
        this.#logger.warn('Templates that were saved cannot be read', {
          path,
          message: (error as Error).message,
        })
      }
    }
    this.#isLoading = false
  }

  #read(path: string, version: Version, cache: TemplateCache): void {
    const text = readFileSync(path, 'utf8')
    const saved = JSON.parse(text) as { form?: string; templates?: [string, SavedField[]][] }
    if (saved.form !== form) throw new Error('the file has another form')
    for (const [key, fields] of saved.templates ?? []) {
      const [source, id] = key.split('|').map(Number)
      cache.set(version, source!, id!, templateOf(fields), Date.now())
    }
  }

  save(version: Version, cache: TemplateCache): void {
    if (this.#isLoading) return
    const templates = cache.entries(version).map(([key, { fields }]) => [
      key,
      fields.map(({ field, length }): SavedField => {
        return field === undefined ? [length] : [length, field.name, field.kind]
      }),
    ])
    const path = join(this.#folder, names[version])
    const text = JSON.stringify({ form, templates })
    if (text.length > maxFileBytes) return
    try {
      writeFileSync(`${path}.new`, text, { flush: true })
      renameSync(`${path}.new`, path)
    } catch (error) {
      this.#logger.warn('Templates cannot be saved', { path, message: (error as Error).message })
    }
  }
}

function templateOf(saved: readonly SavedField[]): Template {
  let shortest = 0
  const fields = saved.map(([length, name, kind]) => {
    if (!Number.isInteger(length) || length < 0 || length > 65_535) throw new Error('a length is wrong')
    shortest += length === 65_535 ? 1 : length
    return { length, field: name === undefined ? undefined : ({ name, kind } as FlowField) }
  })
  return { fields, shortest: Math.max(1, shortest) }
}
