// The store as one file without the rest of the product, for the programs of this folder. It is made from the sources
// of the checkout that is measured, so that `--before` compares two stores and not one with itself.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

const ownCheckout = join(import.meta.dirname, '..', '..')

/** Path of the bundle of `entry`, made in `directory`; `output` are further options of rolldown. */
export async function storeBundle(
  directory,
  { checkout = ownCheckout, entry = 'engine.ts', output = {} } = {},
) {
  const file = join(directory, 'engine.mjs')
  const input = join(checkout, 'bench', 'store', entry)
  if (!existsSync(input)) throw new Error(`the store is measured from its sources: no ${input}`)
  await build({
    input,
    platform: 'node',
    logLevel: 'silent',
    output: { file, format: 'esm', ...output },
  })
  return file
}
