/**
 * The files of the dashboard, as the build wrote them. Only names that the folder has can be asked for, so a path
 * cannot lead out of it. Each file is read once: all of them together are smaller than one answer of a search.
 */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  /** For `ETag`, with its quotes. */
  readonly tag: string
}

const here = import.meta.url
const builtFolder = new URL(
  here.endsWith('.ts') ? '../../../dist/ui/' : here.includes('/chunks/') ? '../ui/' : './ui/',
  here,
)

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

export class PageFiles {
  readonly #folder: URL
  #names: Promise<ReadonlySet<string>> | undefined
  readonly #read = new Map<string, Promise<PageFile>>()

  constructor(folder: URL = builtFolder) {
    this.#folder = folder
  }

  /** `name` is relative to the folder, with forward slashes. Undefined when there is no such file. */
  async find(name: string): Promise<PageFile | undefined> {
    this.#names ??= this.#list()
    const names = await this.#names
    if (!names.has(name)) {
      // A folder that is not there yet may be built while the node runs.
      if (names.size === 0) this.#names = undefined
      return undefined
    }
    const known = this.#read.get(name)
    if (known !== undefined) return known
    const reading = this.#load(name)
    this.#read.set(name, reading)
    reading.catch(() => this.#read.delete(name))
    return reading
  }

  async #list(): Promise<ReadonlySet<string>> {
    const entries = await readdir(fileURLToPath(this.#folder), { recursive: true }).catch(() => [])
    return new Set(
      entries.map((name) => name.replaceAll('\\', '/')).filter((name) => typeOf(name) !== undefined),
    )
  }

  async #load(name: string): Promise<PageFile> {
    const bytes = await readFile(new URL(name, this.#folder))
    return { bytes, type: typeOf(name)!, tag: `"${hash('sha256', bytes, 'hex').slice(0, 20)}"` }
  }
}

function typeOf(name: string): string | undefined {
  return types[/\.([a-z]+)$/.exec(name)?.[1] ?? '']
}
