/** Commands that look at a running node, run as a person runs them. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binary } from '../support/build.ts'
import { Millrace } from '../support/millrace.ts'

const config = `input { generator { id => "gen" interval => 0.02 lines => ["one 1", "two 2"] } }
filter { grok { id => "parse" match => { "message" => "%{WORD:word} %{INT:n}" } } }
output { millrace { id => "store" index => "logs" } }`

let node: Millrace

beforeAll(async () => {
  node = await Millrace.start({ config, api: true, search: true })
  await node.untilStarted(60_000)
}, 120_000)

afterAll(async () => {
  await node?.dispose()
})

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binary, ...args], { cwd: node.folder, timeout: 60_000 })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

const url = () => ['--url', `127.0.0.1:${node.apiPort}`]

describe('commands that look at a node', () => {
  it('top shows its pipelines and the cost of plugins', async () => {
    const { code, stdout } = await run('top', '--once', ...url())
    expect(code).toBe(0)
    expect(stdout).toMatch(/^main\s+[\d.,]+/m)
    expect(stdout).toMatch(/^grok parse\s+main/m)
  }, 90_000)

  it('tap shows what a filter changed', async () => {
    const { code, stdout } = await run('tap', 'main/parse', '--count', '2', ...url())
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}\+ word: "(?:one|two)"$/m)
  }, 90_000)

  it('diff takes its events from the node', async () => {
    await writeFile(join(node.folder, 'new.conf'), config.replace('%{INT:n}', '%{INT:number}'))
    const { code, stdout } = await run('diff', node.configPath, 'new.conf', '--sample', '4', ...url())
    expect(stdout).toContain('4 events: 0 the same, 4 changed')
    expect(code).toBe(1)
  }, 90_000)

  it('search finds what was stored', async () => {
    const store = ['--url', `127.0.0.1:${node.searchPort}`, '--index', 'logs']
    await expect
      .poll(async () => (await run('search', 'word:two', ...store)).code, { timeout: 60_000 })
      .toBe(0)
    const { stdout, stderr } = await run('search', 'word:two', '--size', '1', ...store)
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+ two 2$/m)
    expect(stderr).toMatch(/^1 to 1 of \d+/)
  }, 120_000)

  it('says which node does not answer', async () => {
    const { code, stderr } = await run('top', '--url', '127.0.0.1:1')
    expect([code, stderr]).toEqual([2, expect.stringContaining('127.0.0.1:1 does not answer')])
  }, 90_000)
})
