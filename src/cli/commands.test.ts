import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { diffCommand } from './configs/diff.ts'
import { explainCommand } from './configs/explain.ts'
import { fmtCommand } from './configs/fmt.ts'
import { initCommand } from './configs/init.ts'
import { hitText } from './documents/search.ts'
import { eventText } from './observe/tap.ts'
import { completionCommand } from './reference/completion.ts'
import { docsCommand } from './reference/plugin-docs.ts'
import { shortHelp } from './reference/short-help.ts'
import type { Terminal } from './terminal.ts'
import { folderOf, KeptOutput } from './testing.ts'

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function folder(files: Record<string, string>): Promise<string> {
  const made = await folderOf(files)
  folders.push(made)
  return made
}

type Run = (args: readonly string[], output: KeptOutput) => Promise<number>

async function run(command: Run, ...args: string[]) {
  const output = new KeptOutput()
  const code = await command(args, output)
  return { code, printed: output.printed, told: output.told }
}

describe('help', () => {
  it('fits a screen of 80 by 24 and names every command', () => {
    const lines = shortHelp(commands).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    for (const { name } of commands) expect(lines.join('\n')).toMatch(new RegExp(`(?:^| ) ${name} `, 'm'))
  })

  it('of every command is printed with exit code 0', async () => {
    for (const command of [
      diffCommand,
      explainCommand,
      fmtCommand,
      initCommand,
      docsCommand,
      completionCommand,
    ])
      expect(await run(command as Run, '--help')).toMatchObject({
        code: 0,
        printed: expect.stringContaining('Usage: '),
      })
  })
})

describe('fmt', () => {
  it('rewrites files once, and names those that are not formatted', async () => {
    const path = join(await folder({ 'a.conf': 'filter{drop{}} # end' }), 'a.conf')
    expect(await run(fmtCommand, '--check', path)).toMatchObject({ code: 1, printed: `${path}\n` })
    expect((await run(fmtCommand, path)).code).toBe(0)
    expect(await readFile(path, 'utf8')).toBe('filter {\n  drop { }\n} # end\n')
    expect(await run(fmtCommand, '--check', path)).toMatchObject({ code: 0, printed: '' })
  })

  it('leaves a file alone that it cannot read, and says where', async () => {
    const path = join(await folder({ 'a.conf': 'filter { drop {' }), 'a.conf')
    expect(await run(fmtCommand, path)).toMatchObject({ code: 2, told: expect.stringContaining('a.conf:1:') })
    expect(await readFile(path, 'utf8')).toBe('filter { drop {')
  })
})

describe('explain', () => {
  it('shows the plan with its origins, what is never reached, and no secrets', async () => {
    const made = await folder({
      '1.conf':
        'filter {\n  if [a] == "x" { drop { } mutate { id => "late" } }\n  else if [a] == "x" { mutate { } }\n}',
      '2.conf': 'output { http { url => "http://h" http_method => post password => "open sesame" } }',
    })
    const { code, printed } = await run(explainCommand, `${made}/*.conf`)
    expect(code).toBe(0)
    expect(printed).toMatch(/if \[a\] == "x" +.*1\.conf:2/)
    expect(printed).toMatch(/1\.conf:2:\d+ {2}stands behind the drop of line 2/)
    expect(printed).toMatch(/1\.conf:3:\d+ {2}the condition \[a\] == "x" was decided above and never holds/)
    expect(printed).not.toContain('open sesame')
    const json = JSON.parse((await run(explainCommand, '--json', `${made}/*.conf`)).printed)
    expect(json.outputs[0]).toMatchObject({ type: 'output', name: 'http', line: 1 })
  })

  it('does not call a condition decided that a filter may have changed', async () => {
    const text =
      'filter { if [a] { mutate { remove_field => "a" } if [a] { drop { } } } if ![a] { drop { } } }'
    expect((await run(explainCommand, '-e', text)).printed).not.toContain('Never reached')
  })
})

describe('diff', () => {
  it('shows events that come out otherwise', async () => {
    const made = await folder({
      'old.conf': 'filter { mutate { add_field => { "a" => "1" } } }',
      'new.conf': 'filter { mutate { add_field => { "a" => "2" } } if [message] == "z" { drop { } } }',
      'events.ndjson': '{"message":"y"}\nz\n',
    })
    const args = [`${made}/old.conf`, `${made}/new.conf`, '--events', `${made}/events.ndjson`]
    const { code, printed } = await run(diffCommand, ...args)
    expect(code).toBe(1)
    expect(printed).toContain('  - a: "1"\n  + a: "2"')
    expect(printed).toContain('2 events: 0 the same, 1 changed, 1 no longer come out')
    expect((await run(diffCommand, args[0]!, args[0]!, ...args.slice(2))).code).toBe(0)
  })
})

describe('init', () => {
  it('writes a configuration that the check accepts, for every answer', async () => {
    const made = await folder({})
    for (const input of ['beats', 'tcp', 'http', 'file', 'stdin'])
      for (const [format, output] of [
        ['json', 'store'],
        ['apache', 'elasticsearch'],
        ['syslog', 'stdout'],
      ] as const) {
        const file = `${made}/${input}-${format}.conf`
        const result = await run(
          initCommand as Run,
          file,
          '--input',
          input,
          '--format',
          format,
          '--output',
          output,
        )
        expect([file, result.code]).toEqual([file, 0])
      }
  })

  it('asks for what was not given', async () => {
    const made = await folder({})
    const answers = ['5', '', 'stdout']
    const terminal: Terminal = {
      isInteractive: false,
      write() {},
      readLine: async () => answers.shift(),
      readSecret: async () => undefined,
      close() {},
    }
    const output = new KeptOutput()
    expect(await initCommand([`${made}/p.conf`], output, terminal)).toBe(0)
    expect(await readFile(`${made}/p.conf`, 'utf8')).toContain('stdin')
    expect(await initCommand([`${made}/p.conf`], output, terminal)).toBe(2)
  })
})

describe('docs and completion', () => {
  it('print the page of a plugin, or the nearest name', async () => {
    expect((await run(docsCommand, 'filter', 'drop')).printed).toContain('# drop filter')
    expect((await run(docsCommand, 'mutat')).told).toContain('Did you mean mutate?')
  })

  it('name every command in each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { printed } = await run(completionCommand, shell)
      for (const { name } of commands) expect([shell, printed.includes(name)]).toEqual([shell, true])
      expect(printed).toContain('path.data')
    }
  })

  it('complete in bash: commands, flags of a command, names of plugins', async () => {
    const place = await folder({})
    const { printed } = await run(completionCommand, 'bash')
    // A stand-in that answers as the program does.
    await writeFile(
      join(place, 'millrace'),
      '#!/bin/sh\ncase "$*" in "search --help") echo "  --index NAME  --size N";; docs) echo "filters: grok, mutate";; esac\n',
      { mode: 0o755 },
    )
    const ask = `t() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _millrace; echo "\${COMPREPLY[*]}"; }
      t millrace se; t millrace search --i; t millrace docs gr; t millrace --path.d`
    const { stdout } = await promisify(execFile)('bash', ['-c', `${printed}\n${ask}`], {
      env: { ...process.env, PATH: `${place}:${process.env['PATH']}` },
    })
    expect(stdout.trim().split('\n')).toEqual(['search', '--index', 'grok', '--path.data'])
  })
})

describe('what events and documents look like', () => {
  it('is a difference for the tap, and a line for a search that steers no terminal', () => {
    const plain = { good: String, bad: String, dim: String, strong: String }
    expect(eventText({ before: { a: 1 }, after: [{ a: 2 }] }, plain)).toBe('{"a":1}\n  - a: 1\n  + a: 2\n')
    expect(eventText({ before: { a: 1 }, after: [] }, plain)).toContain('dropped')
    const hit = { _index: 'i', _id: '1', _source: { '@timestamp': 't', message: 'a\u001b[31mb' } }
    expect(hitText(hit, new KeptOutput())).toBe('t a·[31mb\n')
  })
})
