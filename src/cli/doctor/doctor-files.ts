/**
 * The configurations below a path. A file that is named, or called `*.conf`, is always looked at; any other
 * only if it reads like one, because folders of configurations hold patterns, templates and settings, too.
 */
import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface ConfigFile {
  readonly path: string
  readonly text: string
}

export interface SkippedFile {
  readonly file: string
  readonly reason: string
}

interface FoundConfigs {
  readonly files: ConfigFile[]
  /** Called like configurations, but not readable as text. */
  readonly skipped: SkippedFile[]
}

const maxFileBytes = 16 * 1024 * 1024
const maxFiles = 100_000
const maxDepth = 64
const neverEntered: ReadonlySet<string> = new Set(['.git', 'node_modules'])
const section = /^[ \t]*(?:input|filter|output)\s*\{/m
const called = /\.conf$/i

/** Undefined when there is nothing at the path. */
export async function findConfigs(path: string): Promise<FoundConfigs | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return undefined
  const result: FoundConfigs = { files: [], skipped: [] }
  if (found.isDirectory()) await enter(path, 0, result)
  else await take(path, true, result)
  return result
}

/** Links to folders are not followed: they could lead in circles. */
async function enter(folder: string, depth: number, result: FoundConfigs): Promise<void> {
  if (depth > maxDepth) return
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (result.files.length >= maxFiles) return
    if (entry.isDirectory()) {
      if (!neverEntered.has(entry.name)) await enter(path, depth + 1, result)
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) {
      await take(path, called.test(entry.name), result)
    }
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true
}

async function take(path: string, isWanted: boolean, { files, skipped }: FoundConfigs): Promise<void> {
  const skip = (reason: string) => void (isWanted && skipped.push({ file: path, reason }))
  try {
    if ((await stat(path)).size > maxFileBytes) return skip('larger than 16 MiB')
    const bytes = await readFile(path)
    if (bytes.includes(0)) return skip('not a text')
    if (!isUtf8(bytes)) return skip('contains non-ascii characters but is not UTF-8 encoded')
    const text = bytes.toString('utf8')
    if (isWanted || section.test(text)) files.push({ path, text })
  } catch (error) {
    skip(`cannot be read: ${(error as Error).message}`)
  }
}
