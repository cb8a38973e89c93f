/** The chart as Helm renders it, read as the Kubernetes API server reads it; `helm/main.go` does both. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const helm = fileURLToPath(new URL('../../../deploy/helm', import.meta.url))
const program = process.env['MILLRACE_CHART'] ?? ''

it('renders with its own values and with those of every release of the fleet', () => {
  const values = readdirSync(join(helm, 'fleet')).filter((name) => /^(?:edge|node|store)\.yaml$/.test(name))
  const { status, stdout, stderr } = spawnSync(
    program,
    [join(helm, 'millrace'), ...values.map((name) => join(helm, 'fleet', name))],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout.match(/: 5 objects/g)).toHaveLength(values.length + 1)
})
