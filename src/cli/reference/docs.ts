/**
 * `node dist/docs.js <folder>` writes the reference page of every built-in plugin and an index.
 * With `--check` it writes nothing and exits 1 when a page is missing, stale or left over.
 */
import { join } from 'node:path'
import { referencePages, stalePages, writePages } from '../../plugin/reference/reference-folder.ts'
import { catalogue } from '../../plugins/catalogue.ts'

process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<number> {
  const check = args.includes('--check')
  const [folder, ...rest] = args.filter((arg) => arg !== '--check')
  if (folder === undefined || rest.length > 0 || folder.startsWith('-')) {
    console.error('usage: docs <folder> [--check]')
    return 2
  }
  const pages = await referencePages(catalogue, 'src/plugins')
  if (!check) {
    await writePages(folder, pages)
    console.log(`${pages.size} pages written to ${folder}`)
    return 0
  }
  const stale = await stalePages(folder, pages)
  for (const path of stale) console.error(`stale: ${join(folder, path)}`)
  if (stale.length > 0) console.error('run `npm run docs` and commit the result')
  return stale.length === 0 ? 0 : 1
}
