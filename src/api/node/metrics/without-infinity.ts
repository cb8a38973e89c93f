/** `?numeric`: for clients that cannot read "Infinity" where they expect a number. A rate without a value is left out. */
const infinities: ReadonlySet<unknown> = new Set(['Infinity', '-Infinity'])

export function withoutInfinity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInfinity)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !infinities.has(member) || !isWindow(key))
      .map(([key, member]) => [key, withoutInfinity(member)]),
  )
}

/** Only there the text stands for a number. */
function isWindow(key: string): boolean {
  return key === 'current' || key === 'lifetime' || key.startsWith('last_')
}
