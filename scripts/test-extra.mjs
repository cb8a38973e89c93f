// Tests that need more than Node and the npm registry. Each says what it needs; what cannot be had is
// installed from Debian's packages when that is possible, and named as skipped otherwise.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const extras = [
  {
    name: 'regular expressions against a real Ruby',
    needs: { command: 'ruby', debian: 'ruby' },
    prepare: ['npx', 'rolldown', 'src/regex/pattern.ts', '--file', '.tmp/regex.mjs', '--platform', 'node'],
    run: ['node', 'test/extra/regex-differential.mjs', '--engine', '.tmp/regex.mjs'],
  },
  {
    name: 'the grok library against a real Ruby',
    needs: { command: 'ruby', debian: 'ruby' },
    prepare: [
      'npx',
      'rolldown',
      'test/extra/grok-engine.ts',
      '--file',
      '.tmp/grok.mjs',
      '--platform',
      'node',
    ],
    run: ['node', 'test/extra/grok-differential.mjs', '--engine', '.tmp/grok.mjs'],
  },
  {
    name: 'the ruby filter against a real Ruby',
    needs: { command: 'ruby', debian: 'ruby' },
    prepare: ['npx', 'rolldown', 'src/ruby/program.ts', '--file', '.tmp/ruby.mjs', '--platform', 'node'],
    run: ['node', 'test/extra/ruby-differential.mjs', '--engine', '.tmp/ruby.mjs'],
  },
  {
    name: 'a dead receiver and a blocked pipeline for a whole minute',
    run: [
      'npx',
      'vitest',
      'run',
      'test/contract/shutdown.test.ts',
      'test/contract/monitoring-health.test.ts',
    ],
    env: { MILLRACE_LONG: '1' },
  },
  {
    name: 'metrics as Prometheus reads them',
    needs: { command: 'promtool', debian: 'prometheus' },
    prepare: ['npm', 'run', '--silent', 'build'],
    run: ['node', 'test/extra/promtool.mjs'],
  },
  {
    name: 'the YAML REST suite of the search API, file by file',
    run: ['npx', 'vitest', 'run', 'test/contract/yaml-rest.test.ts'],
    env: { MILLRACE_YAML_REST: 'all' },
  },
]

let failed = 0
for (const { name, needs, prepare, run, env } of extras) {
  if (needs !== undefined && !available(needs)) {
    console.log(
      `skipped: ${name} (needs ${needs.command}; Debian package ${needs.debian} could not be installed)`,
    )
    continue
  }
  console.log(`running: ${name}`)
  if (prepare !== undefined) spawnSync(prepare[0], prepare.slice(1), { stdio: 'ignore' })
  const [command, ...args] = run
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) {
    failed += 1
    console.log(`failed: ${name}`)
  }
}
process.exitCode = failed === 0 ? 0 : 1

function available({ command, debian }) {
  if (found(command)) return true
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  spawnSync('apt-get', ['update'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', debian], { stdio: 'ignore' })
  return found(command)
}

function found(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}
