// The tests of the benchmark programs themselves: npx vitest run --root bench
export default {
  cacheDir: '../node_modules/.vite',
  test: { include: ['**/*.test.mjs'], testTimeout: 60_000, pool: 'forks', maxWorkers: 2 },
}
