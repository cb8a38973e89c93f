/** Concerns that plugins share: what will keep them from starting although their options are valid. */
import { createRequire } from 'node:module'
import type { Concern } from './define.ts'

const { resolve } = createRequire(import.meta.url)

/** The error of a check that otherwise runs only when the plugin starts. */
export function startConcern(option: string, check: () => unknown): Concern[] {
  try {
    check()
    return []
  } catch (error) {
    return [{ option, message: (error as Error).message, fatal: true }]
  }
}

/** A package that has to be installed beside the program. */
export function packageConcern(option: string, name: string): Concern[] {
  try {
    resolve(name)
    return []
  } catch (error) {
    // One that can only be imported is there all the same.
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') return []
    const message = `The package \`${name}\`, which this plugin needs, is not installed.`
    return [{ option, message, hint: `npm install ${name}` }]
  }
}
