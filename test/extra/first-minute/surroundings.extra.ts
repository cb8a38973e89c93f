/** Starts in surroundings that strangers have: another user, another Node, a read-only folder, ports that are taken. */
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshClone, freshClone } from './fresh-clone.ts'
import { Command, cleanEnvironment, sh } from './shell.ts'

const oneEvent = `-e 'input{generator{count=>1}} output{stdout{}}'`
const steady = `-e 'input{heartbeat{}} output{null{}}'`
const ports = '--api.http.port 9700-9800 --search.http.port 9801-9900'
/** Debian's nobody and nogroup. */
const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0

let place: FreshClone
let millrace: string

beforeAll(async () => {
  place = freshClone()
  const { code, output } = await sh('npm ci --ignore-scripts && npm run build', {
    cwd: place.clone,
    limit: 300_000,
  })
  if (code !== 0) throw new Error(output)
  millrace = `exec node '${join(place.clone, 'bin', 'millrace.js')}' ${ports}`
}, 400_000)
afterAll(() => place?.remove())

function dataFolder(name: string): string {
  const folder = join(place.folder, name)
  mkdirSync(folder)
  return folder
}

describe('one event', () => {
  const odd: [string, NodeJS.ProcessEnv][] = [
    ['in a POSIX locale', { LANG: 'C', LC_ALL: 'C' }],
    ['in a time zone of a quarter hour', { TZ: 'Asia/Kathmandu' }],
    ['in a time zone that does not exist', { TZ: 'Nowhere/Atall' }],
    ['without a home folder', { HOME: undefined }],
    ['with a home folder that is not there', { HOME: '/nonexistent' }],
    ['without PATH but for node', { PATH: `${join(process.execPath, '..')}:/bin` }],
  ]
  it.each(odd)('passes %s', async (name, changes) => {
    const env = { ...cleanEnvironment(), ...changes }
    const data = dataFolder(name)
    const { code, output } = await sh(`${millrace} --path.data '${data}' ${oneEvent}`, {
      cwd: place.folder,
      env,
    })
    expect(output).toContain('"message" => "Hello world!"')
    expect(code).toBe(0)
  })

  it.each(['22', '24'])(
    'passes on Node %s',
    async (version) => {
      const have = await sh(`npx -y -p node@${version} node -v`, { cwd: place.folder, limit: 120_000 })
      expect(have.output).toMatch(new RegExp(`^v${version}\\.`, 'm'))
      const line = millrace.replace('exec node', `npx -y -p node@${version} node`)
      const data = dataFolder(`node ${version}`)
      const { code, output } = await sh(`${line} --path.data '${data}' ${oneEvent}`, { cwd: place.folder })
      expect(output).toContain('"message" => "Hello world!"')
      expect(output).toContain(`"node.version"=>"v${version}.`)
      expect(output).not.toMatch(/Warning:/)
      expect(code).toBe(0)
    },
    200_000,
  )

  it.runIf(isRoot)('passes without any network', async () => {
    const line = millrace.replace('exec node', 'exec unshare -n node')
    const data = dataFolder('no network')
    const { code, output } = await sh(`${line} --path.data '${data}' ${oneEvent}`, { cwd: place.folder })
    expect(output).toContain('"message" => "Hello world!"')
    expect(code).toBe(0)
  })
})

describe.runIf(isRoot)('a user who owns nothing of the checkout', () => {
  it('runs with a data folder of his own', async () => {
    const data = dataFolder('data of nobody')
    chownSync(data, nobody.uid, nobody.gid)
    const line = `${millrace} --path.data '${data}' ${oneEvent}`
    const { code, output } = await sh(line, { cwd: place.folder, ...nobody })
    expect(output).toContain('"message" => "Hello world!"')
    expect(output).not.toContain('superuser')
    expect(code).toBe(0)
  })

  it('is told which folder he may not write, and by which setting to choose another', async () => {
    chmodSync(place.clone, 0o755)
    const { code, output } = await sh(`${millrace} ${oneEvent}`, { cwd: place.folder, ...nobody })
    expect(code).toBe(1)
    expect(output).toContain('path.data')
    expect(output).toContain(join(place.clone, 'data'))
    expect(output).not.toMatch(/\n {4}at /)
    expect(readdirSync(place.clone)).not.toContain('data')
  })
})

it('refuses a second start on the same data while the first one runs, at once and saying why', async () => {
  const data = dataFolder('shared data')
  const first = new Command(`${millrace} --path.data '${data}' ${steady}`, { cwd: place.folder })
  try {
    await first.until('Pipelines running')
    const began = Date.now()
    const { code, output } = await sh(`${millrace} --path.data '${data}' ${oneEvent}`, { cwd: place.folder })
    expect(code).toBe(1)
    expect(output).toContain('there is already another instance using the configured data directory')
    expect(Date.now() - began).toBeLessThan(10_000)
    first.signal('SIGTERM')
    expect((await first.ended()).code).toBe(0)
  } finally {
    first.signal('SIGKILL')
    await first.ended()
  }
})

describe('a port that is taken', () => {
  let taken: Server
  let port: number

  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    port = (taken.address() as { port: number }).port
  })
  afterAll(() => taken.close())

  it.each(['api.http.port', 'search.http.port'])('is named with the setting %s', async (setting) => {
    const line = `${millrace} --path.data '${dataFolder(setting)}' --${setting} ${port} ${steady}`
    const { code, output } = await sh(line, { cwd: place.folder, limit: 20_000 })
    expect(code).toBe(1)
    expect(output).toContain(`port ${port}`)
    expect(output).toContain(`--${setting}`)
  })
})
