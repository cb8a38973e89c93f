/**
 * The guides do what they say: every `sh` block of every page is run, in order, in one empty folder, and every complete `js`
 * block as a program. Blocks marked `console` are for people: they run for ever. No page has a command that no test runs:
 * a block without a word for its kind holds no commands.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binary, ensureBuilt } from '../support/build.ts'
import { type Surroundings, surroundings } from '../support/guide-surroundings.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs/guide')
const pages = readdirSync(folder)
const limit = 120_000
let work = ''

beforeAll(async () => {
  await ensureBuilt()
  work = mkdtempSync(join(tmpdir(), 'millrace-guides-'))
  mkdirSync(join(work, 'bin'))
  writeFileSync(join(work, 'bin/millrace'), `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`)
  chmodSync(join(work, 'bin/millrace'), 0o755)
  // An answer that is a refusal is a failure here.
  const { stdout } = await run('sh', ['-c', 'command -v curl'], { cwd: work })
  writeFileSync(join(work, 'bin/curl'), `#!/bin/sh\nexec '${stdout.trim()}' --fail-with-body -sS "$@"\n`)
  chmodSync(join(work, 'bin/curl'), 0o755)
  mkdirSync(join(work, 'node_modules'))
  symlinkSync(root, join(work, 'node_modules/millrace'))
}, limit)

afterAll(() => rmSync(work, { recursive: true, force: true }))

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(folder, page), 'utf8')
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, body]) =>
    kind === language ? [body ?? ''] : [],
  )
}

interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly typed?: string | undefined
}

async function run(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, typed = '' }: RunOptions,
): Promise<{ stdout: string }> {
  const child = spawn(command, args, { cwd, env, timeout: limit })
  let stdout = ''
  let all = ''
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString()
    all += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    all += text.toString()
  })
  // A command that reads nothing may have ended before it is told anything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(typed)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${args.at(-1)}: exit code ${code}\n${all}`)
  return { stdout }
}

describe('the guides', () => {
  it.each(pages)('%s: what looks like a command is run or is for people', (page) => {
    const commands = blocksOf(page, '').flatMap((block) =>
      block.split('\n').filter((line) => /^(?:millrace|curl|npm|npx) /.test(line)),
    )
    expect(commands).toEqual([])
  })

  const withBlocks = pages.filter(
    (page) =>
      blocksOf(page, 'sh').length > 0 || blocksOf(page, 'js').some((block) => block.startsWith('import')),
  )

  it.each(withBlocks)(
    '%s: its commands work',
    async (page) => {
      const place = join(work, page.replace('.md', ''))
      mkdirSync(place)
      const around: Surroundings = (await surroundings[page]?.(place)) ?? {}
      const env = { ...process.env, PATH: `${join(work, 'bin')}:${process.env['PATH']}`, ...around.env }
      try {
        for (const [number, block] of blocksOf(page, 'sh').entries()) {
          await around.before?.(number)
          const text = (around.replacements?.() ?? []).reduce(
            (all, [name, here]) => all.replaceAll(name, here),
            block,
          )
          // A failed command ends the block, also in a pipe.
          await run('bash', ['-euo', 'pipefail', '-c', text], { cwd: place, env, typed: around.typed })
        }
        for (const block of blocksOf(page, 'js')) {
          if (!block.startsWith('import')) continue
          writeFileSync(join(place, 'block.mjs'), block)
          await run(process.execPath, ['block.mjs'], { cwd: place, env })
        }
      } finally {
        await around.close?.()
      }
    },
    4 * limit,
  )
})
