// The jars of OpenSearch, fetched from Maven Central for the newest JDK that is here. Leaves their class path and the JDK in
// the environment for the tests.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const jvmHome = '/usr/lib/jvm'
const folder = resolve('.tmp/cluster')
const { env } = process

/** Says what is missing, if anything. */
export function openSearchJars() {
  const { home, major } = newestJava()
  if (major < 17) return 'there is no JDK of version 17 or newer'
  mkdirSync(folder, { recursive: true })
  // 3.8 needs Java 21; on 17 it is 2.19.
  const versions = major >= 21 ? [] : ['-Drunner.version=2.19.1.0', '-Dlog4j.version=2.21.0']
  const list = join(folder, `classpath-${major >= 21 ? '3.8' : '2.19'}.txt`)
  if (!existsSync(list)) {
    const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${list}`]
    const { status } = spawnSync('mvn', ['-q', '-B', '-f', 'test/extra/oracle/pom.xml', ...versions, ...goal])
    if (status !== 0 || !existsSync(list)) return 'the jars of OpenSearch could not be fetched'
  }
  env.MILLRACE_CLUSTER_CLASSPATH = readFileSync(list, 'utf8').trim()
  env.MILLRACE_CLUSTER_JAVA = home
  return undefined
}

function newestJava() {
  const homes = existsSync(jvmHome) ? readdirSync(jvmHome).map((name) => join(jvmHome, name)) : []
  const known = [...homes, ...(env.JAVA_HOME === undefined ? [] : [env.JAVA_HOME])]
    .filter((home) => existsSync(join(home, 'bin', 'javac')))
    .map((home) => ({ home, major: majorOf(home) }))
  known.sort((one, other) => other.major - one.major)
  return known[0] ?? { home: '', major: 0 }
}

function majorOf(home) {
  const { stdout } = spawnSync(join(home, 'bin', 'javac'), ['-version'], { encoding: 'utf8' })
  return Number(/javac (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}
