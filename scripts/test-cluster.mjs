// Tests with several nodes, against real clusters that they fetch from Maven Central and start themselves. What cannot
// be had, Java or the registry, is named, and the tests that need it are skipped.
// Usage: npm run test:cluster [-- WORD...]: only the test files whose paths contain one of the words.
// MILLRACE_CLUSTER_HOSTS names an OpenSearch cluster that runs already, as addresses with commas between them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openSearchJars } from './open-search-jars.mjs'

const temporary = resolve('.tmp')
const installed = join(temporary, 'installed')
const kafkaJars = join(temporary, 'kafka')

/** Folders of `test/cluster` and what they need before they run; others are run as they are. */
const preparations = {
  kafka: {
    commands: ['java', 'mvn'],
    prepare: [
      install,
      // biome-ignore format: one command
      () => problemOf(['mvn', '-q', '-B', '-f', 'test/extra/kafka/pom.xml', 'dependency:copy-dependencies', `-DoutputDirectory=${kafkaJars}`]),
    ],
    env: {
      MILLRACE_KAFKA_JARS: kafkaJars,
      MILLRACE_BINARY: join(installed, 'node_modules', 'millrace', 'bin', 'millrace.js'),
    },
  },
  opensearch: {
    // A cluster that runs already needs nothing.
    commands: process.env.MILLRACE_CLUSTER_HOSTS === undefined ? ['mvn'] : [],
    prepare: process.env.MILLRACE_CLUSTER_HOSTS === undefined ? [openSearchJars] : [],
    env: {},
  },
}

const words = process.argv.slice(2)
const files = readdirSync('test/cluster', { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.extra.ts'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
const problems = new Map()
const outcomes = { passed: 0, failed: [], skipped: [] }
build()
for (const file of files) {
  const folder = file.split('/')[0]
  if (!problems.has(folder)) problems.set(folder, missing(preparations[folder]))
  const problem = problems.get(folder)
  if (problem !== undefined) {
    console.log(`skipped: ${file} (${problem})`)
    outcomes.skipped.push(file)
    continue
  }
  console.log(`running: ${file}`)
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--config', 'test/cluster/vitest.config.ts', join('test/cluster', file)],
    { stdio: 'inherit', env: { ...process.env, ...preparations[folder]?.env } },
  )
  if (status === 0) outcomes.passed += 1
  else outcomes.failed.push(file)
}
for (const file of outcomes.skipped) console.log(`was skipped: ${file} (${problems.get(file.split('/')[0])})`)
for (const file of outcomes.failed) console.log(`has failed: ${file}`)
const { passed, failed, skipped } = outcomes
console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`)
process.exitCode = failed.length === 0 ? 0 : 1

function missing({ commands = [], prepare = [] } = {}) {
  for (const command of commands) {
    if (spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0) return `needs ${command}`
  }
  for (const step of prepare) {
    const problem = step()
    if (problem !== undefined) return problem
  }
  return undefined
}

function build() {
  const problem = problemOf(['npm', 'run', '--silent', 'build'])
  if (problem !== undefined) throw new Error(problem)
}

/** The program as its users install it, packed, with the client of Kafka beside it. */
function install() {
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{ "private": true }\n')
  const packed = ['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', installed]
  const archive = () => readdirSync(installed).find((name) => name.endsWith('.tgz'))
  return (
    problemOf(packed) ??
    problemOf([
      ...['npm', 'install', '--no-audit', '--no-fund', '--prefix', installed],
      ...[join(installed, archive()), '@platformatic/kafka@1'],
    ]) ??
    (existsSync(join(installed, 'node_modules', 'millrace')) ? undefined : 'millrace could not be installed')
  )
}

function problemOf([command, ...args]) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  const last = (stderr ?? '').trim().split('\n').slice(-3).join(' ')
  return `${command} ${args.slice(0, 2).join(' ')} failed: ${error?.message ?? last}`
}
