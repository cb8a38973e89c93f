/**
 * Three nodes of a real OpenSearch on loopback, each in a Java machine of its own, so that one of them can be stopped or
 * killed. `MILLRACE_CLUSTER_HOSTS` names one that runs already; then none is started.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../support/millrace.ts'

const startMilliseconds = 300_000
const names = ['one', 'two', 'three'] as const

export interface ClusterUnderTest {
  readonly hosts: readonly string[]
  /** Undefined for a cluster that somebody else has started. */
  readonly processes: readonly ChildProcess[] | undefined
  stop(): Promise<void>
}

export async function startCluster(): Promise<ClusterUnderTest> {
  const given = process.env['MILLRACE_CLUSTER_HOSTS']
  if (given !== undefined) return { hosts: given.split(','), processes: undefined, stop: async () => {} }
  const classpath = process.env['MILLRACE_CLUSTER_CLASSPATH']
  if (classpath === undefined) throw new Error('run this with npm run test:cluster')
  const java = (name: string) => join(process.env['MILLRACE_CLUSTER_JAVA'] ?? '', 'bin', name)
  const folder = resolve('.tmp/cluster')
  const classes = join(folder, 'classes')
  const data = join(folder, `data-${process.pid}`)
  mkdirSync(data, { recursive: true })
  execFileSync(java('javac'), [
    '-cp',
    classpath,
    '-d',
    classes,
    resolve('test/cluster/opensearch/ClusterNode.java'),
  ])
  const ports = await Promise.all(names.map(async () => [await freePort(), await freePort()] as const))
  const transports = ports.map(([, transport]) => `127.0.0.1:${transport}`).join(',')
  const flags = ['-Xms768m', '-Xmx768m', '--add-modules', 'jdk.incubator.vector']
  const processes = names.map((name, place) => {
    const [http, transport] = ports[place]!
    const log = openSync(join(data, `${name}.log`), 'w')
    const node = [join(data, name), name, String(http), String(transport), names.join(','), transports]
    return spawn(
      java('java'),
      [
        ...flags,
        '--enable-native-access=ALL-UNNAMED',
        '-cp',
        `${classes}:${classpath}`,
        'ClusterNode',
        ...node,
      ],
      { stdio: ['pipe', log, log] },
    )
  })
  const hosts = ports.map(([http]) => `http://127.0.0.1:${http}`)
  const stop = async () => {
    await Promise.all(processes.map(ended))
    rmSync(data, { recursive: true, force: true })
  }
  const limit = Date.now() + startMilliseconds
  while (!(await hasThree(hosts[0]!))) {
    if (processes.some(({ exitCode }) => exitCode !== null) || Date.now() > limit) {
      await stop()
      throw new Error('the cluster did not start')
    }
    await wait(500)
  }
  return { hosts, processes, stop }
}

async function hasThree(host: string): Promise<boolean> {
  const health = await fetch(`${host}/_cluster/health`, { signal: AbortSignal.timeout(5000) })
    .then((response) => response.json() as Promise<{ number_of_nodes?: number; status?: string }>)
    .catch(() => undefined)
  return health?.number_of_nodes === 3 && health.status === 'green'
}

/** Waits until the node has ended; kills it when it is stopped or takes too long. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = new Promise<void>((done) => void child.once('exit', () => done()))
  child.kill('SIGCONT')
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await over
  clearTimeout(timer)
}
