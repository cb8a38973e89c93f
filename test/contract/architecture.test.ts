/**
 * The shape of the source tree: who may import whom, who may touch the outside world, how files look.
 * `imports` is the rule; ARCHITECTURE.md prints it, and is compared with it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { ensureBuilt } from '../support/build.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folder or file of src/, and what it may import besides itself; lower ones first. */
const imports: readonly (readonly [from: string, to: readonly string[]])[] = [
  ['time', []],
  ['text', []],
  ['memory', ['text']],
  ['event', ['memory', 'text', 'time']],
  ['lang', ['text']],
  ['metrics', []],
  ['storage', ['text']],
  ['log', ['storage', 'text']],
  ['http', []],
  ['cluster', []],
  ['migrate', ['cluster', 'storage', 'text']],
  ['version.ts', []],
  // The dashboard runs in browsers: it knows the APIs by their addresses and nothing else of the program.
  ['ui', []],
  ['regex', []],
  ['dates', ['event', 'text', 'time']],
  ['grok', ['regex']],
  ['user-agent', ['regex']],
  ['search', ['memory', 'storage', 'text', 'time']],
  ['ruby', ['regex', 'event', 'text', 'time']],
  ['queue', ['event', 'storage']],
  ['settings', ['log', 'memory', 'storage', 'text']],
  ['security', ['log', 'storage', 'text']],
  ['plugin', ['event', 'regex', 'log', 'text']],
  [
    'plugins',
    [
      'plugin',
      'queue',
      'ruby',
      'grok',
      'user-agent',
      'dates',
      'event',
      'memory',
      'regex',
      'log',
      'storage',
      'text',
      'time',
    ],
  ],
  ['pipeline', ['plugin', 'event', 'queue', 'memory', 'metrics', 'lang', 'regex', 'text', 'time']],
  [
    'threads',
    [
      'cluster',
      'pipeline',
      'plugins',
      'plugin',
      'queue',
      'settings',
      'event',
      'lang',
      'memory',
      'metrics',
      'log',
      'storage',
      'time',
    ],
  ],
  ['agent', ['threads', 'pipeline', 'settings', 'metrics', 'log']],
  [
    'api',
    [
      'search',
      'cluster',
      'agent',
      'threads',
      'pipeline',
      'security',
      'settings',
      'http',
      'memory',
      'metrics',
      'log',
      'text',
      'version.ts',
    ],
  ],
  ['node.ts', ['api', 'agent', 'threads', 'security', 'settings', 'memory', 'storage', 'log', 'version.ts']],
  ['cluster-store.ts', ['api', 'cluster', 'memory', 'search', 'settings', 'log']],
  [
    'store.ts',
    [
      'cluster-store.ts',
      'api',
      'cluster',
      'search',
      'memory',
      'threads',
      'security',
      'settings',
      'grok',
      'user-agent',
      'regex',
      'http',
      'storage',
      'log',
    ],
  ],
  ['merge.ts', ['memory', 'search', 'storage', 'threads']],
  ['unpack.ts', ['memory', 'search', 'storage', 'threads']],
  ['reader.ts', ['api', 'search', 'regex', 'storage', 'threads']],
  ['workbench.ts', ['grok', 'threads']],
  ['endpoint.ts', ['api', 'search', 'grok', 'user-agent', 'regex', 'storage']],
  ['index.ts', ['node.ts', 'endpoint.ts', 'settings', 'plugin', 'event']],
  [
    'cli',
    [
      'node.ts',
      'endpoint.ts',
      'cluster-store.ts',
      'cluster',
      'migrate',
      'agent',
      'threads',
      'pipeline',
      'plugins',
      'plugin',
      'queue',
      'storage',
      'http',
      'grok',
      'regex',
      'memory',
      'metrics',
      'search',
      'security',
      'settings',
      'event',
      'lang',
      'log',
      'version.ts',
    ],
  ],
]

/** The folders of src/search, lower ones first: each may import those above it in this list. */
const searchFloors: readonly string[] = [
  'request',
  'scheduling',
  'answer',
  'time',
  'geo',
  'routing',
  'analysis',
  'segment',
  'shard',
  'scoring',
  'mapping',
  'source',
  'script',
  'query',
  'collect',
  'aggs',
  'suggest',
  'term-vectors',
  'mustache',
  'ingest',
  'index',
  'readers',
  'repair',
  'engine.ts',
]

const socketModules = /^(?:node:)?(?:net|tls|http|https|http2|dgram)$|^undici$/
const mayOpenSockets = /^src\/(?:http|cluster|plugins|ui)\/|^src\/settings\/remote-config\.ts$/
/** Members of those modules that only look at a text. */
const harmless = new Set(['isIP', 'isIPv4', 'isIPv6'])

interface Import {
  readonly clause: string
  readonly specifier: string
  readonly isLate?: boolean
}

interface SourceFile {
  /** `src/…` with forward slashes. */
  readonly path: string
  readonly text: string
  readonly imports: Import[]
}

function filesUnder(folder: string, ending: RegExp): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => ending.test(path) && !path.includes('/data/'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: importsOf(text) }
    })
}

function importsOf(text: string): Import[] {
  const found: Import[] = []
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  for (const [, clause = '', specifier = ''] of code.matchAll(
    /^(?:import|export)\b([^'";=]*?)\bfrom\s*'([^']+)'/gm,
  )) {
    found.push({ clause: clause.trim(), specifier })
  }
  for (const [, specifier = ''] of code.matchAll(/^import\s*'([^']+)'/gm))
    found.push({ clause: '', specifier })
  for (const [, specifier = ''] of code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g))
    found.push({ clause: '', specifier, isLate: true })
  return found
}

/** Tests and what only tests use. */
function isForTests({ path }: SourceFile): boolean {
  return /\.test\.ts$|\/testing(?:\.ts$|\/)|\/arbitrary-[\w-]+\.ts$|\/test-[\w-]+\.ts$/.test(path)
}

const all = filesUnder('src', /\.tsx?$/)
const sources = all.filter((file) => !isForTests(file))

/** The folder of src/ a file is in, or its own name. */
function area(path: string): string {
  const [first = ''] = relative('src', path).split('/')
  return first
}

function target(file: SourceFile, { specifier }: Import): string {
  return join(dirname(file.path), specifier)
}

/** `import type …` and `import { type … }`. */
function isOfTypes({ clause }: Import): boolean {
  const names = /^\{([^}]*)\}$/
    .exec(clause)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  return clause.startsWith('type ') || (names?.every((name) => /^(?:type |$)/.test(name)) ?? false)
}

const allowed = new Map(imports)

describe('imports', () => {
  it('know every folder', () => {
    expect(sources.flatMap((file) => file.imports).length).toBeGreaterThan(500)
    expect([...new Set(sources.map(({ path }) => area(path)))].filter((name) => !allowed.has(name))).toEqual(
      [],
    )
  })

  it('run one way, down the list', () => {
    imports.forEach(([from, to], index) => {
      const below = imports.slice(0, index).map(([name]) => name)
      if (from !== 'cli') expect(to.filter((name) => !below.includes(name))).toEqual([])
    })
    const wrong = sources.flatMap((file) =>
      file.imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map((one) => area(target(file, one)))
        .filter((to) => to !== area(file.path) && !allowed.get(area(file.path))?.includes(to))
        .map((to) => `${file.path} imports ${to}`),
    )
    expect([...new Set(wrong)]).toEqual([])
  })

  it('are allowed only where there are some', () => {
    const arrows = new Set(
      sources.flatMap((file) => file.imports.map((one) => `${area(file.path)} > ${area(target(file, one))}`)),
    )
    const unused = imports.flatMap(([from, to]) =>
      to.map((name) => `${from} > ${name}`).filter((arrow) => !arrows.has(arrow)),
    )
    expect(unused).toEqual([])
  })

  it('run one way inside of search, types too', () => {
    const floor = (path: string) => relative('src/search', path).split('/')[0]!
    const inside = sources.filter(({ path }) => area(path) === 'search')
    expect([...new Set(inside.map(({ path }) => floor(path)))].sort()).toEqual([...searchFloors].sort())
    const climbing = inside.flatMap((file) =>
      file.imports
        .filter((one) => one.specifier.startsWith('.') && area(target(file, one)) === 'search')
        .filter((one) => {
          const to = searchFloors.indexOf(floor(target(file, one)))
          return to > searchFloors.indexOf(floor(file.path))
        })
        .map(({ specifier }) => `${file.path} imports ${specifier}`),
    )
    expect(climbing).toEqual([])
  })

  it('have no cycle at run time', () => {
    const files = new Map(sources.map((file) => [file.path, file]))
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const visit = (path: string, way: readonly string[]): void => {
      const file = files.get(path)
      if (file === undefined || state.get(path) === 'done') return
      if (state.get(path) === 'open') {
        cycles.push([...way.slice(way.indexOf(path)), path].join(' > '))
        return
      }
      state.set(path, 'open')
      for (const one of file.imports)
        if (one.specifier.startsWith('.') && !one.isLate && !isOfTypes(one))
          visit(target(file, one), [...way, path])
      state.set(path, 'done')
    }
    for (const { path } of sources) visit(path, [])
    expect(cycles).toEqual([])
  })

  it('bring no code of searches into a store that was not asked for one', () => {
    const files = new Map(sources.map((file) => [file.path, file]))
    const loaded = new Set(['src/store.ts'])
    // A set goes on to what is added to it on the way.
    for (const path of loaded) {
      const file = files.get(path)!
      for (const one of file.imports)
        if (one.specifier.startsWith('.') && !one.isLate && !isOfTypes(one)) loaded.add(target(file, one))
    }
    expect(loaded.has('src/search/index/lazy-search.ts')).toBe(true)
    expect([...loaded].filter((path) => /^src\/search\/(?:aggs|suggest|query\/\w+)\//.test(path))).toEqual([])
  })

  it('use every export, here or in a test', () => {
    const entries =
      /^src\/(?:cli\/(?:run|reference\/docs)|threads\/entry|store|merge|unpack|reader|workbench|index|plugin\/(?:define|testing))\.ts$/
    const users = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
      filesUnder(folder, /\.(?:tsx?|mjs)$/),
    )
    const used = new Map<string, Set<string>>()
    for (const file of users) {
      for (const one of file.imports) {
        if (!one.specifier.startsWith('.')) continue
        const to = target(file, one)
        const names = used.get(to) ?? new Set()
        used.set(to, names)
        const listed = /\{([^}]*)\}/.exec(one.clause)?.[1] ?? ''
        for (const name of listed.split(','))
          names.add(
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0]!,
          )
        // Of a whole module, or one that is loaded late, anything may be used.
        if (one.isLate || one.clause.includes('*')) names.add('*')
      }
      for (const [, specifier = ''] of file.text.matchAll(/\bimport\('(\.[^']+)'\)/g))
        used.set(join(dirname(file.path), specifier), new Set('*'))
    }
    const dead = sources
      .filter(({ path }) => !entries.test(path) && used.get(path)?.has('*') !== true)
      .flatMap(({ path, text }) =>
        [
          ...text.matchAll(
            /^export (?:async |abstract )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm,
          ),
        ]
          .map(([, name = '']) => name)
          .filter((name) => used.get(path)?.has(name) !== true)
          .map((name) => `${path} exports ${name}`),
      )
    expect(dead).toEqual([])
  })

  it('of one kind of plugins are never of another kind', () => {
    const kinds = ['inputs', 'filters', 'outputs', 'codecs']
    const kindOf = (path: string) => kinds.find((kind) => path.startsWith(`src/plugins/${kind}/`))
    const wrong = sources
      .filter(({ path }) => path.startsWith('src/plugins/') && path !== 'src/plugins/catalogue.ts')
      .flatMap((file) =>
        file.imports
          .filter((one) => one.specifier.startsWith('.'))
          .map((one) => target(file, one))
          .filter((to) => kindOf(to) !== undefined && kindOf(to) !== kindOf(file.path))
          .map((to) => `${file.path} imports ${to}`),
      )
    expect(wrong).toEqual([])
  })

  it('of a plugin are never another plugin', () => {
    const plugins = new Set(
      sources
        .filter(({ text }) => /^export default define(?:Input|Filter|Output|Codec)\(/m.test(text))
        .map(({ path }) => path),
    )
    const count = (['input', 'filter', 'output', 'codec'] as const).flatMap((type) =>
      catalogue.names(type),
    ).length
    // Some definitions may be made by a function; the files found must still be nearly all of them.
    expect(plugins.size).toBeGreaterThan(count / 2)
    const wrong = sources
      .filter(({ path }) => path !== 'src/plugins/catalogue.ts')
      .flatMap((file) =>
        file.imports
          .filter((one) => one.specifier.startsWith('.') && plugins.has(target(file, one)))
          .map(({ specifier }) => `${file.path} imports ${specifier}`),
      )
    expect(wrong).toEqual([])
  })

  it('name .ts files and declared packages', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>>
    const wrong = sources.flatMap((file) =>
      file.imports
        .map(({ specifier }) => specifier)
        .filter((specifier) => {
          const isUi = area(file.path) === 'ui'
          if (specifier.startsWith('.'))
            return !specifier.endsWith('.ts') && !(isUi && specifier.endsWith('.tsx'))
          const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
          // The dashboard is bundled whole: nobody installs what it is made of.
          if (isUi) return !Object.hasOwn(devDependencies, name)
          return !specifier.startsWith('node:') && !Object.hasOwn(dependencies, name)
        })
        .map((specifier) => `${file.path} imports ${specifier}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('the pages on architecture', () => {
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
  const known = ['src', 'test', 'bench']
    .flatMap((folder) => filesUnder(folder, /\.tsx?$/))
    .map(({ path }) => `/${path}`)

  it.each(['ARCHITECTURE.md', 'docs/architecture/search.md', ...decisions])(
    '%s names only files that exist',
    (page) => {
      const names = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w/.-]+\.ts)`/g)].map(
        ([, name = '']) => name,
      )
      if (!decisions.includes(page)) expect(names.length).toBeGreaterThan(20)
      const isKnown = (name: string) => known.some((path) => path.endsWith(`/${name}`))
      expect([...new Set(names)].filter((name) => !isKnown(name))).toEqual([])
    },
  )

  const searchPage = readFileSync(join(root, 'docs/architecture/search.md'), 'utf8')

  it('print the import rules as they are', () => {
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const [, table = ''] = page.split('## Import rules')
    const lines = (table.split('```')[1] ?? '').trim().replace(/\n +/g, ' ').split('\n')
    const printed = lines.map((line) => {
      const [, from = '', to = ''] = /^(\S+) +([^;]*)/.exec(line) ?? []
      return `${from}: ${to}`
    })
    const rules = imports.map(([from, to]) => `${from}: ${to.toSorted().join(', ') || 'nothing'}`)
    expect(printed).toEqual(rules)
  })

  it('print the floors of the search engine in their order', () => {
    const [, table = ''] = searchPage.split('## Floors')
    const printed = [...table.slice(0, table.indexOf('\n## ')).matchAll(/^\| `([\w.-]+)` \|/gm)]
    expect(printed.map(([, name]) => name)).toEqual(searchFloors)
  })

  const [, afterHeading = ''] = searchPage.split('## Find it in one step')
  const findTable = afterHeading.slice(0, afterHeading.indexOf('\n## '))

  it.each([
    'BM25',
    'block-max pruning',
    'the write-ahead log',
    'the merge policy',
    'sort order statistics for deep pages',
    'the query cache',
    'fair scheduling of searches',
    'date math',
    "the mapping's dynamic templates",
    'terms aggregation',
    'the Painless interpreter',
    'live docs',
    'tombstones',
    'refresh',
    'global ordinals',
    'zone maps',
    'HyperLogLog',
    't-digest',
    'Levenshtein automaton',
    'suggesters',
    'highlighting',
    'collapse',
    'nested documents',
    'runtime fields',
    'points in time',
    'slices',
    'routing',
    'aliases',
    'synonyms',
    'circuit breakers',
    'cancellation',
  ])('lead from the words of the field to a file: %s', (words) => {
    const row = findTable.split('\n').find((line) => line.split('|')[1]?.includes(words))
    expect(row).toMatch(/\|.*\|.*`[\w/-]+\.ts`/)
  })

  it('lead to files and folders by their whole path', () => {
    const paths = [...findTable.matchAll(/`([\w/.-]+(?:\.ts|\/))`/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(100)
    const isThere = (path: string) =>
      existsSync(join(root, path.startsWith('src/') ? '' : 'src/search', path))
    expect(paths.filter((path) => path !== 'src/search' && !isThere(path))).toEqual([])
  })

  it('name every file of the search engine, alone or by a pattern', () => {
    const named = [...searchPage.matchAll(/`([\w/*.-]+)`/g)].map(([, name = '']) => name)
    const alone = new Set(named.map((name) => name.replace(/^.*\//, '')))
    const patterns = named
      .filter((name) => /\/.*\*/.test(name))
      .map((name) => new RegExp(`/${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`))
    const missing = sources
      .map(({ path }) => path)
      .filter((path) => path.startsWith('src/search/') && !alone.has(path.replace(/^.*\//, '')))
      .filter((path) => !patterns.some((pattern) => pattern.test(path)))
    expect(missing).toEqual([])
  })
})

describe('folders', () => {
  const kinds = ['inputs', 'filters', 'outputs', 'codecs'].map((kind) => `src/plugins/${kind}`)
  const byFolder = new Map<string, SourceFile[]>()
  for (const file of sources)
    byFolder.set(dirname(file.path), [...(byFolder.get(dirname(file.path)) ?? []), file])

  it('hold few files, so that one can oversee them', () => {
    const full = [...byFolder]
      .filter(([folder, files]) => files.length > 25 && !kinds.includes(folder))
      .map(([folder, files]) => `${folder} holds ${files.length} files`)
    expect(full).toEqual([])
  })

  it('of plugins are lists of plugins: a file each, what it needs in a folder of its name', () => {
    const wrong = kinds.flatMap((folder) =>
      byFolder
        .get(folder)!
        .filter(({ text }) => !/^export default /m.test(text))
        .map(({ path }) => path),
    )
    expect(wrong).toEqual([])
  })
})

describe('the bundle', () => {
  it('names only files and folders that exist', () => {
    const config = readFileSync(join(root, 'rolldown.config.js'), 'utf8')
    const tests = [...config.matchAll(/test: (\/src.*?\/)(?: \}|,$)/gm)].map(([, pattern = '']) => pattern)
    expect(tests.length).toBeGreaterThan(8)
    const parts = new Set(
      all.flatMap(({ path }) => path.split('/').flatMap((part) => [part, part.replace(/\.tsx?$/, '')])),
    )
    const named = tests.flatMap((pattern) =>
      pattern
        .slice(1, -1)
        .replace(/node_modules.*/, '')
        .replaceAll('[\\\\/]', ' ')
        .replace(/\\\.ts\b|\\w\*-\?\w+|\(\?!|[()|?*]/g, ' ')
        .split(/\s+/)
        .map((word) => word.replaceAll('\\.', '.').replace(/^\.|\.$/g, ''))
        .filter((word) => /^[a-z][a-z0-9-]*(?:\.ts)?$/.test(word)),
    )
    expect(named.length).toBeGreaterThan(50)
    expect([...new Set(named)].filter((word) => !parts.has(word))).toEqual([])
  })
})

/** The chunks that a built file loads with all that they load, by name. */
function loadedBy(path: string): string[] {
  const loaded = new Set([path])
  for (const from of loaded) {
    const text = readFileSync(from, 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
      loaded.add(join(dirname(from), specifier))
  }
  return [...loaded].map((name) => name.replace(/^.*\//, '').replace(/-[\w-]{8}\.js$/, ''))
}

describe('a built thread', () => {
  const dist = join(root, 'dist')
  const searches = ['matching', 'queries', 'pages', 'results', 'aggs', 'searches']

  it('of the store loads neither the engine of pipelines nor the code of searches when it starts', async () => {
    await ensureBuilt()
    const names = loadedBy(join(dist, 'store.js'))
    expect(names).toContain('search')
    expect(names.filter((name) => ['engine', 'events', 'control', ...searches].includes(name))).toEqual([])
  })

  it.each(['host-thread', 'worker-thread'])(
    'of a pipeline loads nothing of the store and the API: %s',
    async (name) => {
      await ensureBuilt()
      const file = readdirSync(join(dist, 'chunks')).find((chunk) => chunk.startsWith(`${name}-`))!
      const names = loadedBy(join(dist, 'chunks', file))
      expect(names).toContain('engine')
      const others = ['search', 'unpack', 'security', 'control', 'start', 'http', ...searches]
      expect(names.filter((chunk) => others.includes(chunk))).toEqual([])
    },
  )

  it('that controls loads nothing of the store and the engine', async () => {
    await ensureBuilt()
    const file = readdirSync(join(dist, 'chunks')).find((chunk) => /^node-[\w-]{8}\.js$/.test(chunk))!
    const names = loadedBy(join(dist, 'chunks', file))
    expect(names).toContain('control')
    const others = ['search', 'unpack', 'security', 'engine', ...searches]
    expect(names.filter((chunk) => others.includes(chunk))).toEqual([])
  })
})

describe('the outside world', () => {
  it('is told only by cli/', () => {
    const wrong = sources
      .filter(({ path }) => area(path) !== 'cli')
      .filter(({ text }) => /\bconsole\.\w+\(|\bprocess\.exit\(/.test(text))
      .map(({ path }) => path)
    expect(wrong).toEqual([])
  })

  it('is connected to only by http/ and plugins/', () => {
    const wrong = sources
      .filter(({ path }) => !mayOpenSockets.test(path))
      .flatMap((file) =>
        file.imports
          .filter(({ specifier, clause }) => {
            if (!socketModules.test(specifier) || clause.startsWith('type ')) return false
            const names = clause
              .replace(/[{}]/g, '')
              .split(',')
              .map((name) => name.trim())
            return !names.every((name) => harmless.has(name) || name.startsWith('type '))
          })
          .map(({ specifier }) => `${file.path} imports ${specifier}`),
      )
    expect(wrong).toEqual([])
    const fetching = sources.filter(
      ({ path, text }) => !mayOpenSockets.test(path) && /(?<![\w.])fetch\(/.test(text),
    )
    expect(fetching.map(({ path }) => path)).toEqual([])
  })

  it('gets no code from texts but through the places that are tested for it', () => {
    const makers = sources
      .filter(({ text }) => /\bnew Function\(|(?<![\w.])eval\(/.test(text))
      .map(({ path }) => path)
    expect(makers.sort()).toEqual([
      'src/event/accessors.ts',
      'src/pipeline/plan/code-scope.ts',
      // Ruby that runs inside WebAssembly, behind a closed door.
      'src/plugins/filters/ruby/wasm/machine.ts',
      'src/plugins/filters/ruby/wasm/prelude.ts',
      'src/plugins/grok/store.ts',
      'src/regex/guarded-regexp.ts',
    ])
  })
})

describe('files', () => {
  const maxLines = 600

  it(`have at most ${maxLines} lines`, () => {
    expect(all.filter(({ text }) => text.split('\n').length > maxLines).map(({ path }) => path)).toEqual([])
  })

  it('open with a comment that says what they are for', () => {
    expect(sources.filter(({ text }) => !text.startsWith('/**')).map(({ path }) => path)).toEqual([])
  })

  it('are called by kebab-case nouns', () => {
    const vague = /(?:^|[-/])(?:utils?|helpers?|managers?|misc|common)(?:[-.]|$)/
    const wrong = all.filter(
      ({ path }) => !/^src(?:\/[a-z0-9-]+)+(?:\.test)?\.tsx?$/.test(path) || vague.test(path),
    )
    expect(wrong.map(({ path }) => path).filter((path) => path !== 'src/plugin/common-options.ts')).toEqual(
      [],
    )
  })

  it('say nothing about the machine they were written on', () => {
    const forbidden = [
      /(?<![\w.$}])\/(?:work|root)\/\w/,
      /\bregistry\.[a-z]+\.[a-z]+/i,
      /\b(?:artifactory|verdaccio)\b/i,
    ]
    const own = relative(root, fileURLToPath(import.meta.url)).replaceAll('\\', '/')
    const looked = ['src', 'test', 'bin', 'scripts', 'bench'].flatMap((folder) =>
      filesUnder(folder, /\.(?:ts|mjs|js|md)$/),
    )
    const wrong = looked
      .filter(({ path }) => path !== own)
      .flatMap(({ path, text }) =>
        forbidden
          .filter((pattern) => pattern.test(text))
          .map((pattern) => `${path}: ${pattern.exec(text)?.[0]}`),
      )
    expect(wrong).toEqual([])
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/)
  })
})
