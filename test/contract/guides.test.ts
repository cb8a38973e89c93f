/**
 * The guides do what they say: every `sh` block of a page is run, in order, in one empty folder, and every complete `js`
 * block as a program. Blocks marked `console` are for people: they run for ever, or need a node.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binary, ensureBuilt } from '../support/build.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs/guide')
const pages = ['getting-started.md', 'operations.md', 'elasticsearch-in-tests.md', 'writing-a-plugin.md']
const limit = 120_000
const run = promisify(execFile)
let work = ''

beforeAll(async () => {
  await ensureBuilt()
  work = mkdtempSync(join(tmpdir(), 'millrace-guides-'))
  mkdirSync(join(work, 'bin'))
  writeFileSync(join(work, 'bin/millrace'), `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`)
  chmodSync(join(work, 'bin/millrace'), 0o755)
  mkdirSync(join(work, 'node_modules'))
  symlinkSync(root, join(work, 'node_modules/millrace'))
}, limit)

afterAll(() => rmSync(work, { recursive: true, force: true }))

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(folder, page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, body]) =>
    kind === language ? [body ?? ''] : [],
  )
}

describe('the guides', () => {
  it('are all there', () => {
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(pages))
  })

  it.each(pages)(
    '%s: its commands work',
    async (page) => {
      const place = join(work, page.replace('.md', ''))
      mkdirSync(place)
      const env = { ...process.env, PATH: `${join(work, 'bin')}:${process.env['PATH']}` }
      let ran = 0
      for (const block of blocksOf(page, 'sh')) {
        // A failed command ends the block, also in a pipe.
        await run('bash', ['-euo', 'pipefail', '-c', block], { cwd: place, env, timeout: limit })
        ran += 1
      }
      for (const block of blocksOf(page, 'js')) {
        if (!block.startsWith('import')) continue
        writeFileSync(join(place, 'block.mjs'), block)
        await run(process.execPath, ['block.mjs'], { cwd: place, env, timeout: limit })
        ran += 1
      }
      expect(ran).toBeGreaterThan(0)
    },
    4 * limit,
  )
})
