/** The tests with several nodes of several kinds, which `npm run test:cluster` runs. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/cluster/**/*.extra.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // Each file starts a cluster of its own: one after the other on a small machine.
    maxWorkers: 1,
  },
})
