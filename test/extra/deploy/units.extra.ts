/** The units of systemd, as systemd itself reads them. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../../deploy/systemd', import.meta.url))
/** From 0 to 10; a unit without any restriction has 9.6. */
const maxExposure = 2.5

function analyze(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  expect([args[0], status, stderr]).toEqual([args[0], 0, ''])
  return stdout
}

it.each(readdirSync(folder))('%s has no mistake', (name) => {
  analyze('verify', join(folder, name))
})

it('leaves little of the machine to the hardened one', () => {
  const said = analyze('security', '--offline=true', '--no-pager', join(folder, 'millrace-hardened.service'))
  const [, exposure] = /exposure level for millrace-hardened.service: ([\d.]+)/.exec(said) ?? []
  expect(Number(exposure)).toBeLessThan(maxExposure)
})
