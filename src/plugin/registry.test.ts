import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineFilter, defineInput } from './define.ts'
import { type PluginSource, Registry } from './registry.ts'

const grok = defineFilter({ name: 'grok', summary: 'x.', options: {}, create: () => ({}) })
const stdin = defineInput({
  name: 'stdin',
  summary: 'x.',
  options: {},
  create: () => ({ run: async () => {}, stop() {} }),
})

const builtIn: PluginSource = {
  names: (type) => ({ filter: ['grok', 'json'], input: ['stdin'], output: [], codec: [] })[type],
  load: async (type, name) => [grok, stdin].find((plugin) => plugin.type === type && plugin.name === name),
}

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'registry-'))
})

afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const plugin = (type: string, name: string) =>
  `export default { type: '${type}', name: '${name}', summary: 'x.', options: {}, create: () => ({}) }\n`

async function writePackage(path: string, manifest: unknown, files: Record<string, string>): Promise<void> {
  await write(`${path}/package.json`, JSON.stringify({ type: 'module', ...(manifest as object) }))
  for (const [name, text] of Object.entries(files)) await write(`${path}/${name}`, text)
}

describe('built in', () => {
  test('found without looking at any folder', async () => {
    const registry = new Registry(builtIn, { folders: ['/no/such/folder'] })
    expect(await registry.find('filter', 'grok')).toEqual({ definition: grok })
    expect(registry.names('filter')).toEqual(['grok', 'json'])
  })

  test('a plugin that will not come: the reason', async () => {
    const registry = new Registry(builtIn, { roots: [] })
    expect(await registry.find('input', 'twitter')).toMatchObject({
      problem: {
        code: 'unknown_plugin',
        message: expect.stringMatching(/^Couldn't find any input plugin named 'twitter'\./),
        hint: 'this plugin will not be supported: the streaming API it used has been closed',
      },
    })
    expect(await registry.find('filter', 'twitter')).not.toMatchObject({
      problem: { hint: expect.stringContaining('not be supported') },
    })
    expect(await registry.find('input', 'constructor')).toMatchObject({
      problem: { code: 'unknown_plugin', hint: undefined },
    })
  })

  test('unknown plugin', async () => {
    const registry = new Registry(builtIn, { roots: [] })
    expect(await registry.find('filter', 'gork')).toEqual({
      problem: {
        code: 'unknown_plugin',
        message:
          "Couldn't find any filter plugin named 'gork'. Are you sure this is correct? Trying to load the gork filter " +
          'plugin resulted in this error: Unable to load the requested plugin named gork of type filter. The plugin is ' +
          'not installed.',
        hint: 'did you mean `grok`?',
      },
    })
  })

  test.each([
    ['filter', 'stdin', '`stdin` exists as an input'],
    ['input', '"stdin"', 'write the plugin name without quotes: stdin'],
    ['filter', 'whatever', undefined],
  ] as const)('hint for %s %s', async (type, name, hint) => {
    const found = await new Registry(builtIn, { roots: [] }).find(type, name)
    expect(found).toMatchObject({ problem: { hint } })
  })
})

describe('of other people', () => {
  test('packages by their name, scoped ones, and listed ones', async () => {
    const manifest = { millrace: { plugins: ['./index.js'], api: 1 } }
    await writePackage(
      'a/node_modules/millrace-filter-one',
      { name: 'millrace-filter-one', ...manifest },
      { 'index.js': plugin('filter', 'one') },
    )
    await writePackage('a/node_modules/@me/millrace-two', manifest, {
      'index.js': `${plugin('input', 'two')}`,
    })
    await writePackage('a/node_modules/odd-name', manifest, { 'index.js': plugin('codec', 'three') })
    await writePackage('a/node_modules/not-listed', manifest, {
      'index.js': 'throw new Error("never loaded")',
    })
    await writePackage('a/node_modules/millrace-docs', { name: 'millrace-docs' }, {})
    const registry = new Registry(builtIn, { roots: [join(root, 'a')], packages: ['odd-name', '../../etc'] })
    expect(await registry.load('filter', 'one')).toMatchObject({ name: 'one' })
    expect(await registry.load('input', 'two')).toMatchObject({ name: 'two' })
    expect(await registry.load('codec', 'three')).toMatchObject({ name: 'three' })
    expect((await registry.thirdParty()).map(({ origin }) => origin)).toContain('millrace-filter-one')
    expect(await registry.find('filter', 'oen')).toMatchObject({ problem: { hint: 'did you mean `one`?' } })
  })

  test('the nearest copy of a package wins', async () => {
    const manifest = { millrace: { plugins: ['./index.js'], api: 1 } }
    const text = (summary: string) => plugin('filter', 'near').replace('x.', summary)
    await writePackage('n/node_modules/millrace-near', manifest, { 'index.js': text('near') })
    await writePackage('f/node_modules/millrace-near', manifest, { 'index.js': text('far') })
    const registry = new Registry(builtIn, { roots: [join(root, 'n'), join(root, 'f')] })
    expect(await registry.load('filter', 'near')).toMatchObject({ summary: 'near' })
  })

  test('a folder of loose files, several definitions in one', async () => {
    await write('loose/package.json', '{"type":"module"}')
    await write('loose/filters/four.js', plugin('filter', 'four'))
    await write(
      'loose/outputs/five.mjs',
      plugin('output', 'five').replace('default {', 'default [{').replace(/\n$/, ']'),
    )
    await write('loose/filters/four.test.js', 'throw new Error("never loaded")')
    const registry = new Registry(builtIn, { roots: [], folders: [join(root, 'loose')] })
    expect(await registry.load('filter', 'four')).toMatchObject({ name: 'four' })
    expect(await registry.load('output', 'five')).toMatchObject({ name: 'five' })
  })

  test('a folder that is a package, given twice', async () => {
    const manifest = { name: 'pack', millrace: { plugins: ['p.js'], api: 1 } }
    await writePackage('b/node_modules/millrace-pack', manifest, { 'p.js': plugin('filter', 'six') })
    const folders = [join(root, 'b/node_modules/millrace-pack')]
    const registry = new Registry(builtIn, { roots: [join(root, 'b')], folders })
    expect(await registry.load('filter', 'six')).toMatchObject({ name: 'six' })
  })

  test('two packages with one name', async () => {
    const manifest = (name: string) => ({ name, millrace: { plugins: ['p.js'], api: 1 } })
    await writePackage('c/node_modules/millrace-x', manifest('millrace-x'), {
      'p.js': plugin('filter', 'seven'),
    })
    await writePackage('c/node_modules/millrace-y', manifest('millrace-y'), {
      'p.js': plugin('filter', 'seven'),
    })
    const found = await new Registry(builtIn, { roots: [join(root, 'c')] }).find('filter', 'seven')
    expect(found).toEqual({
      problem: {
        code: 'plugin_conflict',
        message: "Two packages define the filter plugin 'seven': millrace-x and millrace-y.",
      },
    })
  })

  test.each([
    [
      'another API',
      { millrace: { plugins: ['p.js'], api: 2 } },
      {},
      'is written for plugin API 2; this is API 1.',
    ],
    ['no list', { millrace: { api: 1 } }, {}, 'must list its plugin files'],
    ['a file outside', { millrace: { plugins: ['../p.js'], api: 1 } }, {}, 'lies outside of its package'],
    ['a file missing', { millrace: { plugins: ['p.js'], api: 1 } }, {}, 'could not be loaded'],
    [
      'no definition',
      { millrace: { plugins: ['p.js'], api: 1 } },
      { 'p.js': 'export default 5' },
      'is not a plugin definition',
    ],
  ])('a broken package: %s', async (name, manifest, files, text) => {
    const folder = `broken/${name.replaceAll(' ', '-')}`
    await writePackage(`${folder}/node_modules/millrace-broken`, manifest, files as Record<string, string>)
    const found = await new Registry(builtIn, { roots: [join(root, folder)] }).find('filter', 'none')
    expect(found).toMatchObject({
      problem: { code: 'plugin_broken', message: expect.stringContaining(text) },
    })
  })

  test('a folder that does not exist, a file in the wrong place', async () => {
    const missing = await new Registry(builtIn, { roots: [], folders: [join(root, 'none')] }).find(
      'filter',
      'x',
    )
    expect(missing).toMatchObject({
      problem: { message: `You specified a plugin path that does not exist: ${join(root, 'none')}` },
    })
    await write('wrong/inputs/eight.mjs', plugin('filter', 'eight'))
    const wrong = await new Registry(builtIn, { roots: [], folders: [join(root, 'wrong')] }).find(
      'filter',
      'x',
    )
    expect(wrong).toMatchObject({ problem: { message: expect.stringContaining('it belongs into filters.') } })
  })
})
