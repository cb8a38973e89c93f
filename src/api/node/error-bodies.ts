/** Errors of the monitoring API in Logstash's form; they carry no envelope. */
import { HttpProblem } from '../../http/problem.ts'
import { json, type Reply } from '../../http/respond.ts'
import type { HttpRequest } from '../../http/service.ts'

export function problemReply(
  { path }: HttpRequest,
  status: number,
  message: string,
  allow: readonly string[] = [],
): Reply {
  const headers = allow.length > 0 ? { allow: allow.join(', ') } : undefined
  return json({ path, status, error: { message } }, status, headers)
}

export function notFound(request: HttpRequest, methods: readonly string[] = []): Reply {
  return problemReply(request, 404, 'Not Found', methods)
}

/** `detailed` adds where it happened, which is nobody's business but the operator's. */
export function failed(error: Error, request: HttpRequest, detailed: boolean): Reply {
  if (error instanceof HttpProblem) {
    return problemReply(request, error.status, error.status === 404 ? 'Not Found' : error.message)
  }
  const backtrace = (error.stack ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  return json(
    {
      status: 500,
      request_method: request.method,
      path_info: request.path,
      query_string: request.query.raw,
      http_version: `HTTP/${request.httpVersion}`,
      http_accept: request.headers.accept ?? null,
      error: 'Unexpected Internal Error',
      class: error.name,
      message: error.message,
      backtrace: detailed ? backtrace : [],
    },
    500,
  )
}
