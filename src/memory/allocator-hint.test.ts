import { expect, it } from 'vitest'
import { allocatorHint } from './allocator-hint.ts'

const old = { platform: 'linux', canStartAgain: false, env: {} }
const small = 400 * 2 ** 20

it('names the variables where memory is short and Node.js cannot start itself again', () => {
  expect(allocatorHint(small, old)).toContain('MALLOC_MMAP_THRESHOLD_=8192')
})

it.each([
  ['there is memory enough', 4 * 2 ** 30, old],
  ['the launcher sets them', small, { ...old, canStartAgain: true }],
  ['the operator has set one', small, { ...old, env: { MALLOC_ARENA_MAX: '4' } }],
  ['there is no glibc', small, { ...old, platform: 'win32' }],
])('says nothing where %s', (_, limit, surroundings) => {
  expect(allocatorHint(limit, surroundings)).toBeUndefined()
})
