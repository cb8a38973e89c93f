/**
 * Routes are data: methods, paths, query parameters and a handler. The check for unknown parameters and the
 * list of routes come from the same table.
 */
import type { Call } from './call.ts'
import type { RouteAction } from './security/route-actions.ts'

export interface Answer {
  readonly status?: number
  /** JSON; see json-text.ts for the values it may contain. */
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
}

export type Handle = (call: Call) => Answer | Promise<Answer>

export interface Route {
  readonly methods: readonly string[]
  readonly paths: readonly string[]
  readonly parameters: ReadonlySet<string>
  readonly handle: Handle
  /** The body is several JSON values, or a document that is kept as it is; any other is parsed before the handler runs. */
  readonly readsBytes?: true
  /** The required privilege; by default that of security/route-actions.ts. */
  readonly access?: RouteAction
}

/** `methods` separated by bars, `paths` and `parameters` by spaces. */
export function route(methods: string, paths: string, parameters: string, handle: Handle): Route {
  return {
    methods: methods.split('|'),
    paths: paths.split(' '),
    // Path parameters may be given in the query string instead.
    parameters: new Set([...parameters.split(' ').filter((name) => name !== ''), ...partsOf(paths)]),
    handle,
  }
}

/** A route whose handler reads the bytes of the body. */
export function ofBytes(one: Route): Route {
  return { ...one, readsBytes: true }
}

/**
 * A handler that searches. What it resolves before the search is still valid afterwards, as nothing is loaded
 * in between.
 */
export function searching(handle: Handle): Handle {
  return (call) => {
    const loading = call.node.search.load()
    return loading === undefined ? handle(call) : loading.then(() => handle(call))
  }
}

/** A handler that writes documents. Where these may hold queries, the code that checks them is being loaded. */
export function storing(handle: Handle): Handle {
  return (call) => {
    const { loading } = call.node.search
    return loading === undefined ? handle(call) : loading.then(() => handle(call))
  }
}

function partsOf(paths: string): string[] {
  return [...paths.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

export const globalParameters: readonly string[] = [
  'pretty',
  'human',
  'error_trace',
  'format',
  'filter_path',
  'source',
  'source_content_type',
]

/** Groups of parameters that many routes share. */
export const timeouts = 'timeout master_timeout cluster_manager_timeout'
export const indicesOptions = 'ignore_unavailable allow_no_indices expand_wildcards ignore_throttled'
export const sourceParameters = '_source _source_includes _source_excludes _source_include _source_exclude'
export const queryParameters = 'q df analyzer analyze_wildcard default_operator lenient'
