// A real OpenSearch of its own on loopback. Maven fetches it once and Java runs it, by the same small program with which
// the tests compare answers; both have to be here already. 3.8 wants Java 21 or newer, 2.19 runs on 17.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { dataDirectory } from '../generate/data-file.mjs'
import { freePorts } from '../ports.mjs'
import { startServer } from './server.mjs'

const HEAP = '3g'
const OLDEST_JAVA = 17
const JAVA_OF_3 = 21
const JVM_HOMES = '/usr/lib/jvm'
const program = join(import.meta.dirname, '..', '..', 'test', 'extra', 'oracle')

/** What is missing for OpenSearch, or undefined. */
export function missingForOpensearch() {
  if (newestJava() === undefined) return `a JDK ${OLDEST_JAVA} or newer (javac and java)`
  const isThere = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'mvn')))
  return isThere ? undefined : 'Maven (mvn), which fetches OpenSearch'
}

/** The newest of those installed; otherwise the one of JAVA_HOME. */
function newestJava() {
  const installed = existsSync(JVM_HOMES) ? readdirSync(JVM_HOMES).map((name) => join(JVM_HOMES, name)) : []
  const homes = [...installed, process.env.JAVA_HOME].filter(
    (home) => home !== undefined && existsSync(join(home, 'bin', 'javac')),
  )
  const found = homes.map((home) => ({ home, major: majorOf(home) }))
  return found.filter(({ major }) => major >= OLDEST_JAVA).sort((a, b) => b.major - a.major)[0]
}

/** Every JDK says its version in a file. */
function majorOf(home) {
  const release = join(home, 'release')
  const text = existsSync(release) ? readFileSync(release, 'utf8') : ''
  return Number(/^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(text)?.[1] ?? 0)
}

export async function startOpensearch(directory) {
  const { home, major } = newestJava()
  const isNew = major >= JAVA_OF_3
  const classes = join(directory, 'classes')
  const classpath = jars(isNew)
  execFileSync(join(home, 'bin', 'javac'), [
    '-cp',
    classpath,
    '-d',
    classes,
    join(program, 'OracleNode.java'),
  ])
  const [port] = await freePorts(1)
  const flags = isNew ? ['--add-modules', 'jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED'] : []
  const command = [
    join(home, 'bin', 'java'),
    ...[`-Xms${HEAP}`, `-Xmx${HEAP}`, ...flags],
    ...['-cp', `${classes}${delimiter}${classpath}`],
    ...['OracleNode', join(directory, 'index'), String(port)],
  ]
  const server = await startServer({ name: 'OpenSearch', command, port, directory })
  return { ...server, remark: `Java ${major}, heap ${HEAP}` }
}

function jars(isNew) {
  const path = join(dataDirectory, `opensearch-${isNew ? 3 : 2}.classpath`)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  mkdirSync(dataDirectory, { recursive: true })
  const versions = isNew ? [] : ['-Drunner.version=2.19.1.0', '-Dlog4j.version=2.21.0']
  const unfinished = `${path}.${process.pid}.part`
  const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${unfinished}`]
  const pom = join(program, 'pom.xml')
  try {
    execFileSync('mvn', ['-q', '-B', '-f', pom, ...versions, ...goal], { stdio: ['ignore', 2, 2] })
  } catch (error) {
    throw new Error('Maven did not fetch OpenSearch; what it said is above', { cause: error })
  }
  renameSync(unfinished, path)
  return readFileSync(path, 'utf8').trim()
}
