import { builtinModules } from 'node:module'
import { defineConfig } from 'rolldown'
import { uiPage } from './scripts/ui-page.mjs'

const external = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  // Loaded when a plugin needs it, from node_modules.
  'undici',
]

const program = {
  input: {
    main: 'src/cli/run.ts',
    thread: 'src/threads/entry.ts',
    store: 'src/store.ts',
    merge: 'src/merge.ts',
    unpack: 'src/unpack.ts',
    reader: 'src/reader.ts',
    workbench: 'src/workbench.ts',
    index: 'src/index.ts',
    plugin: 'src/plugin/define.ts',
    testing: 'src/plugin/testing.ts',
    docs: 'src/cli/reference/docs.ts',
  },
  platform: 'node',
  external,
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
    sourcemap: false,
    // Names stay readable in stack traces; without blanks and comments there is a third less to parse.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // Few files start faster than many: one for what every thread needs, one for the threads that touch events,
    // one for the control thread, one for the search store, one per plugin, libraries apart.
    codeSplitting: {
      groups: [
        { name: 'yaml', test: /node_modules[\\/]yaml/ },
        {
          name: 'base',
          test: /src[\\/](settings[\\/](coerce|\w*-?definitions|errors|settings|substitution|variables)\.ts|log|text[\\/](edit-distance|java-hash|plain-float|ruby-\w+|utf8-order|wildcards)|memory[\\/](allocator-hint|inherited-block|memory-account|memory-limit)|metrics[\\/](?!flow)|storage[\\/](data-directory|data-lock|files|glob\.|make-directory|node-id|replace-file)|lang[\\/](ast|secret-values)|pipeline[\\/]plan[\\/]source|api[\\/]tls-settings|pipeline[\\/](run[\\/]back-off|watch[\\/]watch-order)|threads[\\/](entry-url|failure|live-threads|memory[\\/]heap-limits|process-setup|queues[\\/](loss-report|waiting-queues)|shared-logging|side-thread|store[\\/]store-link))/,
        },
        // What all threads need but the control thread.
        {
          name: 'common',
          test: /src[\\/](text|time|memory|storage[\\/](?!simulated-disk)|regex[\\/](guarded-regexp|late-pattern)|threads[\\/]roster)/,
        },
        // What the threads of pipelines and the control thread share: a group takes what it imports along, unless an earlier
        // one has it.
        { name: 'events', test: /src[\\/](event|queue)[\\/]/ },
        {
          // What only the control thread has to do with settings.
          name: 'start',
          test: /src[\\/](settings[\\/](api-settings|command-line|config-sources|help-text|keystore|pipelines-file|read-settings|remote-config|yaml-text)|agent[\\/](load-pipelines|without-effect)|api[\\/]node[\\/]metrics[\\/](proc-files|process-readings|recent)|version|cli[\\/]home)\.ts/,
        },
        { name: 'http', test: /src[\\/]http[\\/]/ },
        {
          name: 'control',
          test: /src[\\/](agent|api[\\/]node[\\/]server|node\.ts|threads[\\/](bus[\\/]bus-broker|pipeline-thread|store[\\/]store-thread))/,
        },
        // Loaded by the first request of the monitoring API that asks for more than whether the node is there.
        { name: 'routes', test: /src[\\/](api[\\/](node|ui)|threads[\\/](hot-threads[\\/]|single-flight))/ },
        {
          name: 'regex',
          test: /src[\\/]regex[\\/](?!guarded-regexp|late-pattern)|node_modules[\\/]oniguruma/,
        },
        {
          name: 'unpack',
          test: /src[\\/]search[\\/](scheduling[\\/](background-work|not-ready|steps)|segment[\\/](encoding[\\/]|id-lookup|segment-file|segment-task|sort-order))/,
        },
        // Loaded when somebody has to log in.
        { name: 'security', test: /src[\\/](security|api[\\/]search[\\/]security)[\\/](?!permitted-writes)/ },
        // What takes documents in, with whatever that needs of the rest; then what searches, loaded by the first
        // search, in parts that take little time each.
        {
          name: 'search',
          test: /src[\\/](search[\\/](?!(query|collect|aggs|suggest|script[\\/]documents)[\\/]|index[\\/](embedded-search|memory-estimate|search-environment)|readers[\\/](search-replica|replicated-shards))|api[\\/]search[\\/]|threads[\\/]store[\\/]store-health)/,
        },
        { name: 'matching', test: /src[\\/]search[\\/]query[\\/](exec|automata)[\\/]/ },
        { name: 'queries', test: /src[\\/]search[\\/]query[\\/]/ },
        { name: 'pages', test: /src[\\/]search[\\/]collect[\\/]/ },
        {
          name: 'results',
          test: /src[\\/]search[\\/]aggs[\\/](?!buckets|metrics|agg-kinds|aggregate\.ts|parse-aggs)/,
        },
        { name: 'aggs', test: /src[\\/]search[\\/]aggs[\\/]/ },
        { name: 'searches', test: /src[\\/]search[\\/]/ },
        {
          name: 'engine',
          test: /src[\\/](event|lang(?!.(arbitrary-config|printer|format)\.ts)|queue|plugin(?!.(check-definition|option-text|reference|testing))|pipeline(?!.(plan.check|watch.simulation)\.ts)|threads(?!.(entry|worker-thread|side-thread|store.reader-thread|configuration.(concealing|inspection-job|inspections|open-configuration))\.ts))[\\/]|src[\\/]plugins[\\/](codecs[\\/](json|json-lines|line|plain)|decoding[\\/](charset|json-events|message-event)|receiving[\\/]stop|delivery[\\/]pause)\.ts/,
        },
      ],
    },
  },
}

/** The dashboard, for browsers: one script that starts, one per view, the chart library apart. */
const dashboard = {
  input: { main: 'src/ui/main.tsx' },
  platform: 'browser',
  plugins: [uiPage()],
  transform: { target: 'es2022' },
  output: {
    dir: 'dist/ui',
    format: 'esm',
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
    assetFileNames: 'assets/[name]-[hash][extname]',
    minify: true,
    codeSplitting: { groups: [{ name: 'uplot', test: /node_modules[\\/]uplot/ }] },
  },
}

export default defineConfig([program, dashboard])
