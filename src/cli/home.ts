/** The folder that `config` and `data` are under by default: that of package.json. */
import { fileURLToPath } from 'node:url'

const here = import.meta.url

export const home = fileURLToPath(
  new URL(here.endsWith('.ts') || here.includes('/chunks/') ? '../..' : '..', here),
).replace(/\/$/, '')
