#!/usr/bin/env node
// The launcher: everything else is in dist/, made by `npm run build`.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (!existsSync(main)) {
  console.error('millrace is not built yet: run `npm run build` first.')
  process.exit(1)
}
const { main: run } = await import(main.href)
await run(process.argv.slice(2))
