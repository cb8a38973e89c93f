/** Makes a differing request small: leaves out what can go while the same kind of difference stays. */
import { type Difference, signature } from './compare.ts'
import type { Request } from './nodes.ts'

const maxTries = 60

type Value = Record<string, unknown>

/** Every body with one key or one element less, larger pieces first. */
function* smaller(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    if (value.length > 1) for (const at of value.keys()) yield value.toSpliced(at, 1)
    for (const [at, part] of value.entries()) for (const less of smaller(part)) yield value.with(at, less)
  } else if (typeof value === 'object' && value !== null) {
    const whole = value as Value
    for (const key of Object.keys(whole)) {
      const { [key]: _, ...rest } = whole
      yield rest
    }
    for (const key of Object.keys(whole))
      for (const less of smaller(whole[key])) yield { ...whole, [key]: less }
  }
}

export async function shrink<T extends { request: Request; difference: Difference }>(
  first: T,
  compare: (request: Request) => Promise<T | undefined>,
  kind: string,
): Promise<T> {
  if (typeof first.request.body !== 'object') return first
  let best = first
  let tries = 0
  let isSmaller = true
  while (isSmaller && tries < maxTries) {
    isSmaller = false
    for (const body of smaller(best.request.body)) {
      if (++tries > maxTries) break
      const found = await compare({ ...best.request, body })
      if (found === undefined || found.difference.isForm || signature(found.difference) !== kind) continue
      best = found
      isSmaller = true
      break
    }
  }
  return best
}
