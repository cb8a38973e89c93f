/**
 * The folder that `config`, `data` and `logs` are under by default: that of package.json in a checkout. An installed
 * package keeps nothing below `node_modules`, which npm empties when it likes: there it is the working directory.
 */
import { fileURLToPath } from 'node:url'

const here = import.meta.url

const packageFolder = fileURLToPath(
  new URL(here.endsWith('.ts') || here.includes('/chunks/') ? '../..' : '..', here),
).replace(/[\\/]$/, '')

export const home = homeOf(packageFolder, process.cwd())

export function homeOf(folder: string, workingDirectory: string): string {
  return folder.split(/[\\/]/).includes('node_modules') ? workingDirectory : folder
}
