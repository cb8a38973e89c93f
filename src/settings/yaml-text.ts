/**
 * YAML as Ruby reads it (version 1.1: `yes` and `on` are booleans, `010` is 8), because existing settings files
 * rely on that. Maps come as `Map`, so that no key can touch an object's prototype; of equal keys the last
 * counts; dates stay text. The parser is loaded when the first file is read.
 */

const yes = /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/
const no = /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/
const onlyComments = /^(?:[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$))*$/
const textTags: ReadonlySet<string> = new Set(['tag:yaml.org,2002:timestamp', 'tag:yaml.org,2002:binary'])

/** An empty document is `null`. Throws an Error with the parser's complaint and its line. */
export async function parseYaml(text: string): Promise<unknown> {
  if (onlyComments.test(text)) return null
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, {
    version: '1.1',
    uniqueKeys: false,
    merge: true,
    prettyErrors: true,
    logLevel: 'error',
    customTags: (tags) =>
      tags
        .filter((tag) => typeof tag === 'string' || !textTags.has(tag.tag))
        .map((tag): (typeof tags)[number] => {
          // Ruby takes a single y or n as text.
          if (typeof tag === 'string' || tag.collection !== undefined || tag.tag !== 'tag:yaml.org,2002:bool')
            return tag
          return { ...tag, test: tag.test?.test('yes') === true ? yes : no }
        }),
  })
  const problem = document.errors[0]
  if (problem !== undefined)
    throw new Error(problem.message.split('\n')[0]?.replace(/:$/, '') ?? 'invalid YAML')
  return document.toJS({ mapAsMap: true, maxAliasCount: 100 })
}

/** `a: {b: 1}` and `a.b: 1` are the same setting: nested maps become dotted names, the last one counts. */
export function flattenNames(value: unknown): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  const walk = (part: unknown, prefix: string, depth: number): void => {
    if (part instanceof Map && depth < 100) {
      for (const [key, item] of part) walk(item, prefix === '' ? String(key) : `${prefix}.${key}`, depth + 1)
    } else {
      flat.set(prefix, part)
    }
  }
  walk(value, '', 0)
  flat.delete('')
  return flat
}
