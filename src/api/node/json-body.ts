/** Bodies of requests that must be JSON objects. */
import { HttpProblem } from '../../http/problem.ts'
import type { HttpRequest } from '../../http/service.ts'

export async function jsonBody(request: HttpRequest, maxBytes: number): Promise<Record<string, unknown>> {
  return jsonObject((await request.body(maxBytes)).toString('utf8'))
}

export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new HttpProblem(400, 'The body must be a JSON object')
}
