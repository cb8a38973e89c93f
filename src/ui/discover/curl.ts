/** A search as a command line that does the same against the search API. */
export function curlOf(origin: string, index: string, body: unknown): string {
  const path = `${origin}/${index.split(',').map(encodeURIComponent).join(',').replaceAll('%2A', '*')}/_search?pretty`
  const text = JSON.stringify(body, null, 2)
  return `curl -s ${shell(path)} -H 'content-type: application/json' -d ${shell(text)}`
}

export function curlOfDocument(origin: string, index: string, id: string): string {
  return `curl -s ${shell(`${origin}/${encodeURIComponent(index)}/_doc/${encodeURIComponent(id)}?pretty`)}`
}

/** A word of a POSIX shell, whatever stands in it. */
export function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
