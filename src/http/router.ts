/**
 * Finds the handler of a method and a path. A tree with one level per path segment; a literal segment wins
 * over `:name`, and that over a `*` at the end, which is any rest; a trailing slash does not count, segments are
 * percent-decoded. Written here because routing
 * is on the way to the first answer after a start, and a general router took longer to load than all of it.
 */
export type PathParameters = Readonly<Record<string, string>>

interface Match<Handler> {
  readonly handler: Handler
  readonly parameters: PathParameters
}

interface Level<Handler> {
  readonly literals: Map<string, Level<Handler>>
  parameter: { readonly name: string; readonly level: Level<Handler> } | undefined
  readonly handlers: Map<string, Handler>
  /** Takes paths that continue in a way no other route knows. */
  rest: Level<Handler> | undefined
}

export class Router<Handler> {
  readonly #root: Level<Handler> = emptyLevel()
  /** As added, for whoever describes the routes. */
  readonly routes: { readonly method: string; readonly pattern: string }[] = []

  /** `pattern` is a path such as `/_node/pipelines/:id` or `/ui/*`. A GET handler serves HEAD as well. */
  add(method: string, pattern: string, handler: Handler): this {
    let level = this.#root
    for (const segment of segmentsOf(pattern))
      level =
        segment === '*'
          ? (level.rest ??= emptyLevel())
          : segment.startsWith(':')
            ? parameterOf(level, segment.slice(1))
            : literalOf(level, segment)
    level.handlers.set(method, handler)
    this.routes.push({ method, pattern })
    return this
  }

  find(method: string, path: string): Match<Handler> | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method
    const segments = decoded(path)
    return (
      segments &&
      search(this.#root, segments, 0, ({ handlers }, values) => {
        const handler = handlers.get(wanted)
        return handler && { handler, parameters: values }
      })
    )
  }

  /** Methods that the path would answer to. */
  methods(path: string): string[] {
    const segments = decoded(path)
    const found =
      segments &&
      search(this.#root, segments, 0, ({ handlers }) =>
        handlers.size > 0 ? [...handlers.keys()] : undefined,
      )
    return (found ?? []).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  }
}

function search<Handler, Result>(
  level: Level<Handler>,
  segments: readonly string[],
  index: number,
  accept: (level: Level<Handler>, values: Record<string, string>) => Result | undefined,
): Result | undefined {
  const segment = segments[index]
  if (segment === undefined) return accept(level, {})
  const literal = level.literals.get(segment)
  const found =
    (literal && search(literal, segments, index + 1, accept)) ?? byParameter(level, segments, index, accept)
  return found ?? (level.rest && accept(level.rest, {}))
}

function byParameter<Handler, Result>(
  level: Level<Handler>,
  segments: readonly string[],
  index: number,
  accept: (level: Level<Handler>, values: Record<string, string>) => Result | undefined,
): Result | undefined {
  const segment = segments[index]!
  if (level.parameter === undefined || segment === '') return undefined
  const { name, level: next } = level.parameter
  return search(next, segments, index + 1, (last, values) => accept(last, { ...values, [name]: segment }))
}

function emptyLevel<Handler>(): Level<Handler> {
  return { literals: new Map(), parameter: undefined, handlers: new Map(), rest: undefined }
}

function literalOf<Handler>(level: Level<Handler>, segment: string): Level<Handler> {
  const known = level.literals.get(segment)
  if (known !== undefined) return known
  const fresh = emptyLevel<Handler>()
  level.literals.set(segment, fresh)
  return fresh
}

function parameterOf<Handler>(level: Level<Handler>, name: string): Level<Handler> {
  level.parameter ??= { name, level: emptyLevel() }
  if (level.parameter.name !== name)
    throw new Error(`two names for one place of a path: ${name}, ${level.parameter.name}`)
  return level.parameter.level
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  if (segments[segments.length - 1] === '') segments.pop()
  return segments
}

/** Undefined when the path is not valid percent-encoded UTF-8. */
function decoded(path: string): string[] | undefined {
  try {
    return segmentsOf(path).map((segment) => (segment.includes('%') ? decodeURIComponent(segment) : segment))
  } catch {
    return undefined
  }
}
