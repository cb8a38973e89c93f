/** The two nodes that are asked: OpenSearch in a Java machine of its own, Millrace inside this process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Answer } from './compare.ts'

const startMilliseconds = 120_000
const answerMilliseconds = 30_000
const jvmHome = '/usr/lib/jvm'

export interface Request {
  readonly method: string
  readonly path: string
  /** A text is sent as it is. */
  readonly body?: unknown
}

export async function ask(url: string, { method, path, body }: Request): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const isLines = path.includes('_bulk') || path.includes('_msearch')
  const send = async () => {
    const { default: http } = await import('node:http')
    return await new Promise<Answer>((done, failed) => {
      const request = http.request(
        url + path,
        {
          method,
          agent: false,
          timeout: answerMilliseconds,
          headers:
            text === undefined
              ? {}
              : {
                  'content-type': isLines ? 'application/x-ndjson' : 'application/json',
                  'content-length': Buffer.byteLength(text),
                },
        },
        (response) => {
          let answer = ''
          response.setEncoding('utf8').on('data', (piece: string) => (answer += piece))
          response.on('end', () => done({ status: response.statusCode ?? 0, text: answer }))
          response.on('error', failed)
        },
      )
      request.on('timeout', () => request.destroy(new Error('no answer in time')))
      request.on('error', failed)
      request.end(text)
    })
  }
  return await send().catch((error: Error) => ({ status: 0, text: error.message }))
}

export interface Oracle {
  readonly url: string
  stop(): Promise<void>
}

/** The newest Java: 3.8 needs 21, on 17 it is 2.19. */
function newestJava(): { home: string | undefined; major: number } {
  const found = existsSync(jvmHome)
    ? readdirSync(jvmHome).map((name) => ({
        home: join(jvmHome, name),
        major: Number(/(\d\d)/.exec(name.replace('1.', ''))?.[1] ?? 0),
      }))
    : []
  const usable = found.filter(({ home }) => existsSync(join(home, 'bin', 'javac')))
  usable.sort((one, other) => other.major - one.major)
  return usable[0] ?? { home: process.env['JAVA_HOME'], major: 17 }
}

export async function startOracle(folder: string): Promise<Oracle> {
  const { home, major } = newestJava()
  const command = (name: string) => (home === undefined ? name : join(home, 'bin', name))
  const here = resolve('test/extra/oracle')
  const jars = join(folder, 'classpath.txt')
  const classes = join(folder, 'classes')
  const isNew = major >= 21
  mkdirSync(folder, { recursive: true })
  if (!existsSync(jars)) {
    const versions = isNew ? [] : ['-Drunner.version=2.19.1.0', '-Dlog4j.version=2.21.0']
    // biome-ignore format: one command
    execFileSync('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), ...versions, 'dependency:build-classpath', `-Dmdep.outputFile=${jars}`], { stdio: 'inherit' })
  }
  const classpath = readFileSync(jars, 'utf8').trim()
  execFileSync(command('javac'), ['-cp', classpath, '-d', classes, join(here, 'OracleNode.java')])
  const port = await freePort()
  const data = join(folder, `data-${process.pid}`)
  const flags = isNew ? ['--add-modules', 'jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED'] : []
  const child = spawn(
    command('java'),
    // Without the last flag errors that happen often lose their texts; the start script of OpenSearch has it too.
    [
      '-Xmx1g',
      ...flags,
      '-XX:-OmitStackTraceInFastThrow',
      '-cp',
      `${classes}:${classpath}`,
      'OracleNode',
      data,
      String(port),
    ],
    { stdio: ['pipe', 'ignore', 'ignore'] },
  )
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    await ended(child)
    rmSync(data, { recursive: true, force: true })
  }
  const limit = Date.now() + startMilliseconds
  while ((await ask(url, { method: 'GET', path: '/_cluster/health' })).status !== 200) {
    if (child.exitCode !== null || Date.now() > limit) {
      await stop()
      throw new Error(`OpenSearch did not start (exit code ${child.exitCode})`)
    }
    await new Promise((next) => setTimeout(next, 300))
  }
  return { url, stop }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const over = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await over
  clearTimeout(timer)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}
