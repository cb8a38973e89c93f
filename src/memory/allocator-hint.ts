/**
 * Where memory is short, glibc must be told to give back what is freed (`docs/decisions/0024-the-c-library-gives-back.md`).
 * The launcher does so where Node.js can start itself again in the same process; elsewhere the operator is told how.
 */
const variables = 'MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=8192 MALLOC_TRIM_THRESHOLD_=32768'
const scarceBytes = 2 * 2 ** 30

interface Surroundings {
  readonly platform: string
  readonly canStartAgain: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** `memory.limit` in bytes. */
  readonly limit: number
}

const here: Omit<Surroundings, 'limit'> = {
  platform: process.platform,
  canStartAgain: 'execve' in process,
  env: process.env,
}

/** Returns a sentence for the log, or undefined where nothing is to be said. */
export function allocatorHint(limit: number, { platform, canStartAgain, env } = here): string | undefined {
  if (platform !== 'linux' || canStartAgain || limit >= scarceBytes) return undefined
  if (variables.split(' ').some((each) => env[each.split('=', 1)[0]!] !== undefined)) return undefined
  return `Memory is short, and glibc keeps what is freed: set ${variables} in the environment, or use Node.js 22.15 or later.`
}
