/**
 * Carries out a Dockerfile without Docker: every stage is a folder that begins as a small Debian with this Node in the place
 * of `node:…-slim`, RUN is a chroot into it, COPY takes what `.dockerignore` leaves of the repository. Needs root.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Instruction {
  readonly word: string
  readonly flags: readonly string[]
  readonly text: string
}

/** What a container is started with. */
export interface Image {
  readonly root: string
  readonly directory: string
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

export function run(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`)
  return stdout
}

/** A Debian with this Node and npm: what the image of Node is, as far as the steps can tell. */
export function makeBase(folder: string): void {
  if (existsSync(join(folder, 'usr/bin/npm'))) return
  rmSync(folder, { recursive: true, force: true })
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder])
  run('cp', [process.execPath, join(folder, 'usr/bin/node')])
  mkdirSync(join(folder, 'usr/lib/node_modules'), { recursive: true })
  const npm = run('sh', ['-c', 'dirname "$(dirname "$(readlink -f "$(command -v npm)")")"']).trim()
  run('cp', ['-r', npm, join(folder, 'usr/lib/node_modules/npm')])
  run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/bin/npm')])
}

export function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [word = '', ...rest] = line.trim().split(/\s+/)
      const isRun = word === 'RUN' || word === 'HEALTHCHECK'
      const flags = rest.filter((one) => one.startsWith('--') && !isRun)
      const text = isRun ? line.trim().slice(word.length).trim() : rest.slice(flags.length).join(' ')
      return { word, flags, text }
    })
}

export function build(repository: string, base: string, work: string): Image {
  const context = join(work, 'context')
  mkdirSync(context, { recursive: true })
  const ignored = readFileSync(join(repository, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const left = run('git', ['-C', repository, 'ls-files', '--cached', '--others', '--exclude-standard'])
    .split('\n')
    .filter((path) => path !== '' && !ignored.some((one) => path === one || path.startsWith(`${one}/`)))
    .filter((path) => existsSync(join(repository, path)))
  writeFileSync(join(work, 'files'), `${left.join('\n')}\n`)
  run('sh', ['-c', `tar -C '${repository}' -cf - -T '${work}/files' | tar -C '${context}' -xf -`])

  const stages = new Map<string, Stage>()
  let stage = new Stage(work, 0)
  let count = 0
  for (const { word, flags, text } of instructionsOf(
    readFileSync(join(repository, 'deploy/docker/Dockerfile'), 'utf8'),
  )) {
    if (word === 'FROM') {
      stage = new Stage(work, count++)
      run('cp', ['-a', base, stage.root])
      const [, name] = / AS (\w+)$/.exec(text) ?? []
      if (name !== undefined) stages.set(name, stage)
    } else stage.take(word, flags, text, context, stages)
  }
  return stage
}

class Stage implements Image {
  readonly root: string
  directory = '/'
  user = '0'
  environment: Record<string, string> = {}
  healthCheck: string[] = []
  #arguments: Record<string, string> = {}
  #entry: string[] = []
  #default: string[] = []

  constructor(work: string, number: number) {
    this.root = join(work, `stage-${number}`)
  }

  get command(): readonly string[] {
    return [...this.#entry, ...this.#default]
  }

  take(
    word: string,
    flags: readonly string[],
    text: string,
    context: string,
    stages: ReadonlyMap<string, Stage>,
  ): void {
    const value = (name: string) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split('=')[1]
    switch (word) {
      case 'WORKDIR':
        this.directory = text
        mkdirSync(this.#inside(text), { recursive: true })
        return
      case 'COPY': {
        const from = value('from')
        const source = from === undefined ? context : stages.get(from)!.root
        this.#copy(source, text.split(/\s+/), value('chown'))
        return
      }
      case 'RUN':
        chroot(this, ['sh', '-ec', text], this.#arguments)
        return
      case 'ARG': {
        const [name = '', standard = ''] = text.split('=')
        this.#arguments[name] = standard.replaceAll('"', '')
        return
      }
      case 'ENV':
        for (const pair of text.split(/\s+/)) {
          const [name = '', given = ''] = pair.split('=')
          this.environment[name] = given
        }
        return
      case 'USER':
        this.user = text
        return
      case 'ENTRYPOINT':
        this.#entry = JSON.parse(text) as string[]
        return
      case 'CMD':
        this.#default = JSON.parse(text) as string[]
        return
      case 'HEALTHCHECK':
        this.healthCheck = JSON.parse(text.slice(text.indexOf('['))) as string[]
        return
      case 'EXPOSE':
      case 'VOLUME':
        return
      default:
        throw new Error(`${word} is not carried out here`)
    }
  }

  #inside(path: string): string {
    return join(this.root, path.startsWith('/') ? path : join(this.directory, path))
  }

  #copy(source: string, words: readonly string[], owner: string | undefined): void {
    const target = this.#inside(words.at(-1)!)
    for (const name of words.slice(0, -1)) {
      const from = join(source, name === '.' ? '' : name)
      // The shell finds the files of a pattern.
      run('sh', ['-ec', name === '.' ? `cp -a '${from}/.' '${target}'` : `cp -a ${from} '${target}'`])
    }
    if (owner !== undefined) run('chroot', [this.root, 'chown', owner, target.slice(this.root.length)])
  }
}

/** What lets npm reach its registry from inside, as far as this machine needs it. */
const passed = [
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
]

function chroot(stage: Image, command: readonly string[], more: Readonly<Record<string, string>>): void {
  const { root, directory, environment } = stage
  for (const file of ['/etc/resolv.conf', '/etc/hosts', process.env['NODE_EXTRA_CA_CERTS'] ?? ''])
    if (file !== '' && existsSync(file)) run('cp', ['-L', '--parents', file, root])
  const surroundings = Object.fromEntries(
    passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])),
  )
  const registry = run('npm', ['config', 'get', 'registry']).trim()
  const env = { ...surroundings, npm_config_registry: registry, ...environment, ...more, HOME: '/root' }
  run('env', [
    '-i',
    'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    'chroot',
    root,
    'sh',
    '-ec',
    'cd "$0"; exec "$@"',
    directory,
    ...command,
  ])
}
