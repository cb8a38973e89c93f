/**
 * The folder of generated reference pages: which pages belong there, which of them are stale, writing them.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PluginSource } from '../registry.ts'
import {
  commonOptionsPage,
  commonPagePath,
  type IndexEntry,
  indexPage,
  pagePath,
  pluginTypes,
  referencePage,
} from './reference.ts'

/** Every page by its path inside the folder. The tables of tests beside the plugins are only counted. */
export async function referencePages(catalogue: PluginSource, plugins: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const entries: IndexEntry[] = []
  for (const type of pluginTypes) {
    pages.set(commonPagePath(type), commonOptionsPage(type))
    for (const name of catalogue.names(type).toSorted()) {
      const definition = await catalogue.load(type, name)
      if (definition === undefined)
        throw new Error(`the catalogue names the ${type} ${name} but does not have it`)
      pages.set(pagePath(type, name), referencePage(definition))
      const { summary } = definition
      const examples = 'examples' in definition ? (definition.examples?.length ?? 0) : 0
      const rows = examples + (await tableRows(join(plugins, `${type}s`, 'tables', `${name}.table`)))
      entries.push({ type, name, summary, rows })
    }
  }
  pages.set('README.md', indexPage(entries))
  return pages
}

/** Rows of a table of tests: what goes in, and options that are refused. */
async function tableRows(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.match(/^[>x] /gm)?.length ?? 0
}

/** Paths of pages that are missing, differ, or belong to no plugin any more. */
export async function stalePages(folder: string, pages: ReadonlyMap<string, string>): Promise<string[]> {
  const stale = await leftOver(folder, pages)
  for (const [path, text] of pages) {
    const there = await readFile(join(folder, path), 'utf8').catch(() => undefined)
    if (there !== text) stale.push(path)
  }
  return stale.sort()
}

export async function writePages(folder: string, pages: ReadonlyMap<string, string>): Promise<void> {
  for (const path of await leftOver(folder, pages)) await rm(join(folder, path))
  for (const [path, text] of pages) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

/** Markdown files in the folders of plugin pages that no page stands for. */
async function leftOver(folder: string, pages: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = []
  for (const type of pluginTypes) {
    const names = await readdir(join(folder, `${type}s`)).catch(() => [])
    for (const name of names)
      if (name.endsWith('.md') && !pages.has(`${type}s/${name}`)) found.push(`${type}s/${name}`)
  }
  return found
}
