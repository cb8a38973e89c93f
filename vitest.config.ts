import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.mjs'],
    // Against hangs; how fast something is, `bench/` says.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One more than the processors of a small machine: many tests wait for programs, sockets and disks.
    maxWorkers: 3,
  },
})
