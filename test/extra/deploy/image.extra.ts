/** The image without Docker: the steps of its Dockerfile in roots of their own, and what comes out started as a container. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build, type Image, makeBase, run } from './image.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'millrace-image-'))
const buildMillis = 900_000
let image: Image
const started: ChildProcess[] = []

beforeAll(() => {
  // Kept for the next time, and outside of the repository: linters would walk through it.
  const base = join(tmpdir(), 'millrace-image-base')
  makeBase(base)
  image = build(repository, base, work)
}, buildMillis)

afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(work, { recursive: true, force: true })
})

const pairs = (env: Readonly<Record<string, string>>) =>
  Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  )

/** With a network of its own, in which nothing else listens, as the user of the image. */
function container(env: Readonly<Record<string, string>>, args: readonly string[] = []): ChildProcess {
  const { root, user, directory, environment, command } = image
  const words = [
    ...['--net', '--', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', 'env', '-i'],
    ...pairs({ ...environment, ...env }),
    ...['chroot', `--userspec=${user}:0`, root, 'sh', '-c', 'cd "$0"; exec "$@"', directory],
    ...(args.length === 0 ? command : [command[0]!, ...args]),
  ]
  const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

/** A command in the same network, as `docker exec` runs it. */
function inside(child: ChildProcess, command: readonly string[]): { status: number | null; stdout: string } {
  const { root, user, environment } = image
  const place = ['-t', String(child.pid), '--net', 'env', '-i', ...pairs(environment)]
  return spawnSync('nsenter', [...place, 'chroot', `--userspec=${user}:0`, root, ...command], {
    encoding: 'utf8',
  })
}

async function untilHealthy(child: ChildProcess): Promise<void> {
  let said = ''
  child.stdout?.on('data', (text: Buffer) => (said += text.toString()))
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
  for (let round = 0; round < 60; round += 1) {
    if (inside(child, image.healthCheck).status === 0) return
    if (child.exitCode !== null) break
    await wait(500)
  }
  throw new Error(`the container did not become healthy: ${said}`)
}

const asked = (path: string) => [
  'node',
  '-e',
  `fetch('http://127.0.0.1:9600${path}').then((r) => r.text()).then((text) => process.stdout.write(text))`,
]

it('holds no secret of the machine that built it, and the user owns its folders', () => {
  expect(image.user).toBe('1001')
  expect(run('chroot', [image.root, 'stat', '-c', '%U', '/usr/share/logstash/data']).trim()).toBe('logstash')
  const found = run('chroot', [image.root, 'sh', '-c', 'ls -a /root /tmp'])
  expect(found).not.toMatch(/npmrc|millrace.*tgz/)
})

it('starts as its user, listens to Beats, and is healthy by its own check', async () => {
  const child = container({})
  await untilHealthy(child)
  const { pipelines } = JSON.parse(inside(child, asked('/_node/pipelines')).stdout) as {
    pipelines: Record<string, { workers: number }>
  }
  expect(Object.keys(pipelines)).toEqual(['main'])
  const port = [
    'node',
    '-e',
    "net.connect(5044, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))",
  ]
  expect(inside(child, port).status).toBe(0)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
})

it('takes settings from the variables of the image of Logstash', async () => {
  const child = container({ PIPELINE_WORKERS: '3', PIPELINE_BATCH_SIZE: '77', NODE_NAME: 'by-variable' })
  await untilHealthy(child)
  expect(JSON.parse(inside(child, asked('/')).stdout)).toMatchObject({
    name: 'by-variable',
    pipeline: { workers: 3, batch_size: 77 },
  })
})
