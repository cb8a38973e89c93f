// The store as one file without the rest of the product, for the programs of this folder.
import { join } from 'node:path'
import { build } from 'rolldown'

/** Path of the bundle of `entry`, made in `directory`; `output` are further options of rolldown. */
export async function storeBundle(directory, entry = 'engine.ts', output = {}) {
  const file = join(directory, 'engine.mjs')
  await build({
    input: join(import.meta.dirname, entry),
    platform: 'node',
    logLevel: 'silent',
    output: { file, format: 'esm', ...output },
  })
  return file
}
