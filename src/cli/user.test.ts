import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { verifyPassword } from '../security/password-hash.ts'
import { SecurityFile } from '../security/security-file.ts'
import { diskFiles } from '../storage/files.ts'
import type { Terminal } from './terminal.ts'
import { userCommand } from './user.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-user-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Somebody at a terminal who answers each question in turn. */
async function typed(answers: string[], ...args: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const next = async () => answers.shift()
  const terminal: Terminal = {
    isInteractive: true,
    write: (more) => {
      text += more
    },
    readLine: next,
    readSecret: next,
    close: () => {},
  }
  const line = [...args, '--path.data', folder, '--path.settings', folder]
  return { code: await userCommand(line, terminal, {}), text }
}

const users = () => new SecurityFile(diskFiles, join(folder, 'security', 'security.json')).state.users

it('adds a user whose password is typed twice, and keeps only its hash', async () => {
  const wrong = ['short', 'long enough', 'different', 'long enough', 'long enough']
  const added = await typed(wrong, 'add', 'ann', '--role', 'read', '--role=monitor')
  expect([added.code, added.text]).toEqual([
    0,
    expect.stringContaining('Added user [ann] with roles [read, monitor].'),
  ])
  expect(added.text).toContain('ERROR: passwords must be at least [6] characters long')
  expect(added.text).toContain('ERROR: Passwords do not match. Try again.')
  const ann = users().get('ann')!
  expect(ann.roles).toEqual(['read', 'monitor'])
  expect(await verifyPassword('long enough', ann.password!)).toBe(true)
  expect(await verifyPassword('different', ann.password!)).toBe(false)
}, 30_000)

it('changes passwords and roles, lists and removes', async () => {
  await typed(['long enough', 'long enough'], 'add', 'ann', '--role', 'read')
  expect((await typed(['another one', 'another one'], 'passwd', 'ann')).code).toBe(0)
  expect(await verifyPassword('another one', users().get('ann')!.password!)).toBe(true)
  expect((await typed([], 'roles', 'ann', '--role', 'nowhere')).text).toContain(
    'WARNING: there is no role [nowhere]',
  )
  expect((await typed([], 'list')).text).toBe('ann\tnowhere\n')
  expect((await typed([], 'remove', 'ann')).code).toBe(0)
  expect(users().size).toBe(0)
}, 30_000)

it('says what is wrong', async () => {
  for (const [args, message] of [
    [['add', 'a:b', '--role', 'read'], 'cannot be the name of a user'],
    [['add', 'ann'], 'Give at least one --role'],
    [['passwd', 'nobody'], 'User [nobody] does not exist'],
    [['add'], 'You must supply a name'],
    [['add', 'ann', '--password', 'x'], "Unrecognized option '--password'"],
  ] as const) {
    const { code, text } = await typed([], ...args)
    expect([code, text]).toEqual([1, expect.stringContaining(message)])
  }
  expect((await typed([], 'help')).text).toContain('Usage: millrace user')
})
