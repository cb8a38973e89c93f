/** Documents that are the same whoever makes them: each field has another distribution, some lack all of them. */

export const mappings = {
  properties: {
    n: { type: 'long' },
    date: { type: 'date' },
    amount: { type: 'double' },
    small: { type: 'integer' },
    host: { type: 'keyword' },
    level: { type: 'keyword' },
    ip: { type: 'ip' },
    flag: { type: 'boolean' },
    many: { type: 'long' },
    text: { type: 'text' },
  },
}

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta']

export function documentOf(number: number): Record<string, unknown> {
  // A permutation without a pattern that a sample could follow.
  const mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  const text = Array.from(
    { length: 1 + (mixed % 5) },
    (_, place) => words[((mixed >> (place + 3)) % 7) & 7] ?? 'eta',
  )
  if (number % 50 === 7) return { n: number, text: text.join(' ') }
  return {
    n: number,
    date: 1_700_000_000_000 + (mixed % 10_000_000),
    amount: Math.exp((mixed % 2000) / 100),
    small: (mixed % 4001) - 2000,
    host: `host-${(mixed >> 4) % 30_000}`,
    level: ['debug', 'info', 'info', 'info', 'warn', 'error'][mixed % 6],
    ip: `10.${(mixed >> 16) & 255}.${(mixed >> 8) & 255}.${mixed & 255}`,
    flag: mixed % 3 === 0,
    many: [mixed % 1000, (mixed >> 8) % 100_000],
    text: text.join(' '),
  }
}
