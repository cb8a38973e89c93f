/**
 * What a client may ask of the form of a reply, whatever the resource: `format=yaml` or an Accept header that
 * prefers YAML, and `filter_path`. Text replies have one form only.
 */
import { filterPaths } from './filter-path.ts'
import { HttpProblem } from './problem.ts'
import type { Reply } from './respond.ts'
import type { HttpRequest } from './service.ts'

type Format = 'json' | 'yaml'

type Asked = Pick<HttpRequest, 'query' | 'headers'>

const yamlTypes: ReadonlySet<string> = new Set(['application/yaml', 'application/x-yaml', 'text/yaml'])

/** The parameter wins over the header; a format that does not exist is a 400. */
export function formatOf({ query, headers }: Asked): Format {
  const name = query.text('format')
  if (name === undefined) return prefersYaml(headers.accept ?? '') ? 'yaml' : 'json'
  if (name === 'json' || name === 'yaml') return name
  throw new HttpProblem(400, `Unsupported format [${name}]`)
}

/** YAML is named, and nothing else that would do is named with more weight or before it. */
function prefersYaml(accept: string): boolean {
  if (!accept.includes('yaml')) return false
  let best = { isYaml: false, weight: 0 }
  for (const offer of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = offer.split(';').map((part) => part.trim())
    const isYaml = yamlTypes.has(type)
    if (!isYaml && type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2)) || 0
    if (weight > best.weight) best = { isYaml, weight }
  }
  return best.isYaml
}

/** The reply in the form that was asked for. Errors follow the format, but are never filtered. */
export async function presented(reply: Reply, request: Asked): Promise<Reply> {
  if (!('json' in reply.content)) return reply
  const filter = reply.status < 400 ? request.query.text('filter_path') : undefined
  const value = filter === undefined ? reply.content.json : filterPaths(reply.content.json, filter)
  if (!wantsYaml(request)) return { ...reply, content: { json: value } }
  const { stringify } = await import('yaml')
  const text = stringify(value, {
    // Also what an older reader would take for a number, a time or a boolean gets quotes.
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
  return { ...reply, type: 'application/yaml', content: { text: `---\n${text}` } }
}

/** An error about the format itself can only be told in the usual one. */
function wantsYaml(request: Asked): boolean {
  const name = request.query.text('format')
  return (name === undefined || name === 'yaml') && formatOf(request) === 'yaml'
}
