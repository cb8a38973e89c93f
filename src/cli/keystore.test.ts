import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadKeystore } from '../settings/keystore.ts'
import { keystoreCommand } from './keystore.ts'
import type { Terminal } from './terminal.ts'

const env = { LOGSTASH_KEYSTORE_PASS: 'pass' }
let directory = ''
let file = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-keystore-command-'))
  file = join(directory, 'millrace.keystore')
})

afterEach(() => rm(directory, { recursive: true, force: true }))

class Script implements Terminal {
  readonly isInteractive = true
  readonly #answers: string[]
  text = ''
  isClosed = false

  constructor(answers: string[]) {
    this.#answers = answers
  }

  write(text: string): void {
    this.text += text
  }

  async readLine(): Promise<string | undefined> {
    return this.#answers.shift()
  }

  readSecret(): Promise<string | undefined> {
    return this.readLine()
  }

  close(): void {
    this.isClosed = true
  }
}

async function run(args: string[], answers: string[] = [], environment: Record<string, string> = env) {
  const terminal = new Script(answers)
  const code = await keystoreCommand(['--path.settings', directory, ...args], terminal, environment)
  expect(terminal.isClosed).toBe(true)
  return { code, text: terminal.text }
}

describe('millrace keystore', () => {
  it('creates, adds, lists and removes', async () => {
    expect(await run(['create'])).toEqual({ code: 0, text: `Created Logstash keystore at ${file}\n` })
    expect(await run(['add', 'ES_PWD', 'other'], ['geheim', 'two'])).toEqual({
      code: 0,
      text:
        "Enter value for ES_PWD: Added 'es_pwd' to the Logstash keystore.\n" +
        "Enter value for other: Added 'other' to the Logstash keystore.\n",
    })
    expect((await loadKeystore(file, 'pass')).get('es_pwd')).toBe('geheim')
    expect(await run(['list'])).toEqual({ code: 0, text: 'es_pwd\nother\n' })
    expect(await run(['remove', 'OTHER', 'none'])).toEqual({
      code: 1,
      text: "Removed 'other' from the Logstash keystore.\nERROR: 'none' does not exist in the Logstash keystore.\n",
    })
    expect((await loadKeystore(file, 'pass')).list()).toEqual(['es_pwd'])
  })

  it('asks before it overwrites, unless forced', async () => {
    await run(['create'])
    await run(['add', 'a'], ['one'])
    expect(await run(['create'], ['n'])).toMatchObject({ code: 1 })
    expect((await loadKeystore(file, 'pass')).get('a')).toBe('one')
    expect((await run(['add', 'a'], ['', 'two'])).text).toBe('a already exists. Overwrite ? [y/N] ')
    expect((await loadKeystore(file, 'pass')).get('a')).toBe('one')
    await run(['add', 'a'], ['Yes', 'two'])
    expect((await loadKeystore(file, 'pass')).get('a')).toBe('two')
    await run(['add', '--force', '--stdin', 'a'], ['three'])
    expect((await loadKeystore(file, 'pass')).get('a')).toBe('three')
    expect(await run(['create', '--force'])).toMatchObject({ code: 0 })
    expect((await loadKeystore(file, 'pass')).list()).toEqual([])
  })

  it('warns when there is no password', async () => {
    const refused = await run(['create'], ['n'], {})
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.text).toContain('Please set the environment variable `LOGSTASH_KEYSTORE_PASS`')
    await expect(stat(file)).rejects.toThrow()
    expect(await run(['create'], ['y'], {})).toMatchObject({ code: 0 })
    expect(await run(['list'], [], {})).toEqual({ code: 0, text: '' })
  })

  it('does not accept an empty value', async () => {
    await run(['create'])
    expect((await run(['add', 'a'], ['', 'x'])).text).toBe(
      "Enter value for a: ERROR: Value cannot be empty\nEnter value for a: Added 'a' to the Logstash keystore.\n",
    )
    expect(await run(['add', 'b', '--stdin'], [])).toEqual({
      code: 1,
      text: 'ERROR: Value cannot be empty\n',
    })
  })

  it('says what is missing', async () => {
    expect((await run(['add', 'a'])).text).toBe(
      "ERROR: Logstash keystore not found. Use 'create' command to create one.\n",
    )
    expect(await run(['add'])).toMatchObject({ code: 1 })
    expect((await run(['remove'])).text).toContain('You must supply a value to remove')
    expect((await run(['list'])).text).toContain(`Can not find Logstash keystore at ${file}`)
    expect((await run(['list', '--what'])).text).toContain("Unrecognized option '--what'")
    expect(await run(['constructor'])).toMatchObject({ code: 1, text: expect.stringContaining('Usage:') })
    expect(await run(['--help'])).toMatchObject({ code: 0, text: expect.stringContaining('Usage:') })
  })

  it('reveals nothing with a wrong password', async () => {
    await run(['create'])
    await run(['add', 'canary'], ['x'])
    const { code, text } = await run(['list'], [], { LOGSTASH_KEYSTORE_PASS: 'wrong' })
    expect(code).toBe(1)
    expect(text).not.toContain('canary')
  })

  it('uses the file that logstash.yml names, whatever else stands there', async () => {
    const named = join(directory, 'elsewhere.keystore')
    await writeFile(join(directory, 'logstash.yml'), `keystore.file: ${named}\nnode.name: \${NOT_YET}\n`)
    expect((await run(['create'])).text).toContain(named)
    expect((await stat(named)).isFile()).toBe(true)
  })
})
