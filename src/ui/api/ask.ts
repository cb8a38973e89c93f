/** Questions to the node that served the page. Whatever goes wrong is an `ApiProblem` with the server's own words. */
import { parseExact } from './exact-json.ts'

export class ApiProblem extends Error {
  /** 0 when there was no answer. */
  readonly status: number
  /** As the server names it: `index_not_found_exception`. */
  readonly type: string
  /** The whole answer, for those who copy it. */
  readonly detail: string

  constructor(status: number, type: string, reason: string, detail = '') {
    super(reason)
    this.name = 'ApiProblem'
    this.status = status
    this.type = type
    this.detail = detail
  }
}

/** Port of the search API, once one of its answers told it. */
let searchPort = 9200

/** Where programs find the search API. */
export function searchOrigin(): string {
  return `${location.protocol}//${location.hostname}:${searchPort}`
}

let signedOut: () => void = () => {}

/** Called when an answer says that nobody is signed in any more. */
export function onSignedOut(act: () => void): void {
  signedOut = act
}

interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  /** `body` is JSON text already. */
  readonly isText?: boolean
  readonly signal?: AbortSignal | undefined
}

export async function ask<T>(
  path: string,
  { method = 'GET', body, isText = false, signal }: Question = {},
): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        'x-requested-with': 'millrace',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isText ? (body as string) : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    text = await response.text()
    searchPort = Number(response.headers.get('x-search-port') ?? searchPort)
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiProblem(0, 'no_answer', 'The node does not answer.')
  }
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    if (response.ok)
      throw new ApiProblem(response.status, 'no_json', 'The answer is no JSON.', text.slice(0, 2000))
  }
  if (response.status === 401) signedOut()
  if (!response.ok) throw problemOf(response.status, value, text)
  return value as T
}

/** Asks the search API below the page's own address. */
export function askSearch<T>(path: string, question?: Question): Promise<T> {
  return ask<T>(`/ui/search${path}`, question)
}

interface ErrorBody {
  readonly error?:
    | string
    | {
        readonly type?: string
        readonly reason?: string
        /** Set in errors of the monitoring API. */
        readonly message?: string
        readonly root_cause?: readonly Cause[]
        readonly failed_shards?: readonly { readonly reason?: Cause }[]
      }
  readonly message?: string
}

interface Cause {
  readonly type?: string
  readonly reason?: string
}

/** The most particular reason an answer gives. */
export function problemOf(status: number, body: unknown, text: string): ApiProblem {
  const { error, message } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  const detail = text.slice(0, 4000)
  if (typeof error === 'string') return new ApiProblem(status, 'error', error, detail)
  const cause = error?.root_cause?.[0] ?? error?.failed_shards?.[0]?.reason ?? error
  const reason = cause?.reason ?? error?.message ?? message ?? wordOf(status)
  return new ApiProblem(status, cause?.type ?? 'error', reason, detail)
}

function wordOf(status: number): string {
  if (status === 401) return 'You are not signed in.'
  if (status === 403) return 'You may not see this.'
  if (status === 404) return 'There is no such thing.'
  return `The node answered with status ${status}.`
}
