import { builtinModules } from 'node:module'
import { defineConfig } from 'rolldown'

const external = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  // Loaded when a plugin needs it, from node_modules.
  'undici',
]

export default defineConfig({
  input: {
    main: 'src/cli/main.ts',
    thread: 'src/threads/entry.ts',
    index: 'src/index.ts',
    plugin: 'src/plugin/define.ts',
    testing: 'src/plugin/testing.ts',
    docs: 'src/cli/docs.ts',
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
    // Few files start faster than many: one for the engine, one per plugin, libraries apart.
    codeSplitting: {
      groups: [
        { name: 'yaml', test: /node_modules[\\/]yaml/ },
        {
          name: 'engine',
          test: /src[\\/](event|lang|metrics|log|regex|queue|plugin|pipeline|settings|threads(?!.entry\.ts))[\\/]|node_modules[\\/]oniguruma/,
        },
        {
          name: 'control',
          test: /src[\\/](agent|api|http|storage|node\.ts|version\.ts)/,
        },
      ],
    },
  },
})
