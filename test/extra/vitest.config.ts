/** The tests that need servers, clients or packages which `npm run test:extra` fetches. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/extra/**/*.extra.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Each file starts servers of its own: one after the other on a small machine.
    maxWorkers: 1,
  },
})
