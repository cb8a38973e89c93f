/**
 * The package as its users get it: packed from a fresh clone, installed into an empty project with nothing but the
 * registry, run, imported, and checked by a compiler that knows nothing of this repository.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshClone, freshClone } from './fresh-clone.ts'
import { readmeProgram } from './readme.ts'
import { type Ended, sh } from './shell.ts'

const oneEvent = `-e 'input{generator{count=>1}} output{stdout{}}' --api.http.port 9700-9800`

let place: FreshClone
let project: string
let packing: Ended

beforeAll(async () => {
  place = freshClone()
  project = join(place.folder, 'empty project')
  mkdirSync(project)
  packing = await sh(`npm ci --ignore-scripts && npm pack --pack-destination '${place.folder}'`, {
    cwd: place.clone,
    limit: 300_000,
  })
}, 400_000)
afterAll(() => place?.remove())

const archive = () => join(place.folder, readdirSync(place.folder).find((name) => name.endsWith('.tgz'))!)

it('is packed by npm pack, with what runs and nothing else', async () => {
  expect(packing.code, packing.output.slice(-3000)).toBe(0)
  const { output } = await sh(`tar tzf '${archive()}'`, { cwd: place.folder })
  const files = output.trim().split('\n')
  const kinds =
    /^package\/(package\.json|README\.md|LICENSE|CHANGELOG\.md|bin\/[\w.]+|dist\/(\.complete|ui\/[\w/.-]+\.(js|css|html|svg)|[\w/.-]+\.js|types\/[\w/-]+\.d\.ts))$/
  expect(files.filter((file) => !kinds.test(file))).toEqual([])
  // The kit for plugins and the command `millrace test` are no tests of our own.
  const running = /plugin\/testing|dist\/testing\.js|chunks\/test-[\w-]+\.js$/
  expect(files.filter((file) => /test|docs\.js$/.test(file) && !running.test(file))).toEqual([])
  expect(files).toContain('package/dist/types/index.d.ts')
})

it('is installed into an empty project', async () => {
  const { code, output } = await sh(`npm install --ignore-scripts '${archive()}'`, {
    cwd: project,
    limit: 120_000,
  })
  expect(code, output.slice(-3000)).toBe(0)
})

it('runs by npx, and keeps its data in the project, not below node_modules', async () => {
  const version = await sh('npx millrace --version', { cwd: project })
  expect(version.output).toMatch(/^millrace \d+\.\d+\.\d+$/m)
  const { code, output } = await sh(`npx millrace ${oneEvent}`, { cwd: project })
  expect(output).toContain('"message" => "Hello world!"')
  expect(code).toBe(0)
  expect(existsSync(join(project, 'data'))).toBe(true)
  expect(existsSync(join(project, 'node_modules', 'millrace', 'data'))).toBe(false)
})

it('says what is missing when it is started without a pipeline', async () => {
  const { code, output } = await sh('npx millrace', { cwd: project })
  expect(code).toBe(1)
  expect(output).toMatch(/-f|path\.config|pipelines\.yml/)
})

it('gives the endpoint of the README to a program', async () => {
  const program = `${readmeProgram()}
const answer = await fetch(url, { headers: { connection: 'close' } })
console.log('answers', (await answer.json()).version.number)
await stop()
`
  writeFileSync(join(project, 'endpoint.mjs'), program)
  const { code, output } = await sh('node endpoint.mjs', { cwd: project })
  expect(output).toMatch(/answers \d+\.\d+\.\d+/)
  expect(code).toBe(0)
})

it('runs a node and a plugin of the project, tested with the kit', async () => {
  writeFileSync(join(project, 'shout.mjs'), shout)
  const { code, output } = await sh('node shout.mjs', { cwd: project })
  expect(output).toContain('{"message":"HELLO"}')
  expect(output).toContain('stopped with 0')
  expect(code).toBe(0)
})

it.each([
  ['with the types of Node', { lib: ['es2023'], types: ['node'] }],
  ['with the types of a browser', { lib: ['es2023', 'dom'], types: [] }],
])(
  'has types that a strict compiler takes, %s',
  async (_with, libraries) => {
    const { devDependencies } = JSON.parse(readFileSync(join(place.clone, 'package.json'), 'utf8'))
    const packages = ['typescript', '@types/node'].map((name) => `'${name}@${devDependencies[name]}'`)
    const install = await sh(`npm install --ignore-scripts ${packages.join(' ')}`, {
      cwd: project,
      limit: 120_000,
    })
    expect(install.code, install.output).toBe(0)
    const config = { compilerOptions: { ...compilerOptions, ...libraries }, include: ['*.mts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
    const check = async (text: string) => {
      writeFileSync(join(project, 'check.mts'), text)
      const { output } = await sh('npx tsc -p .', { cwd: project, limit: 120_000 })
      return output.replace(/^npm warn.*\n/gm, '')
    }
    expect(await check(checkedProgram)).toBe('')
    // The check can fail: `url` is no number.
    expect(await check(`${checkedProgram}\nexport const wrong: number = endpoint.url\n`)).toContain('TS2322')
  },
  300_000,
)

const compilerOptions = {
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  module: 'nodenext',
}

const shout = `
import { defineFilter } from 'millrace/plugin'
import { runFilter } from 'millrace/testing'
import { start } from 'millrace'
const shout = defineFilter({
  name: 'shout', summary: 'Upper case.', options: {},
  create: () => ({ filter(event) { event.set('message', String(event.get('message')).toUpperCase()) } }),
})
const [event] = await runFilter(shout, {}, [{ message: 'hello' }])
console.log(JSON.stringify(event))
const node = await start({ args: ['-e', 'input { heartbeat { } } output { null { } }', '--api.http.port', '9700-9800'] })
console.log('stopped with', await node.stop(0))
process.exit(0)
`

const checkedProgram = `
import { defineFilter, type Endpoint, Event, type MillraceNode, option, start } from 'millrace'
import { defineOutput } from 'millrace/plugin'
import { runFilter } from 'millrace/testing'

const endpoint: Endpoint = await start({ port: 0, flavor: 'opensearch' })
const text: string = endpoint.url
const node: MillraceNode = await start({ args: ['-e', text] })
const code: number = await node.stop(0)
const shout = defineFilter({
  name: 'shout',
  summary: 'Upper case.',
  options: { field: option.string({ default: 'message', doc: 'Which.' }) },
  create: ({ options: { field } }) => ({
    filter(event: Event) {
      event.set(field, String(event.get(field)).toUpperCase())
    },
  }),
})
await runFilter(shout, { field: 'message' }, [{ message: String(code) }])
void defineOutput
`
