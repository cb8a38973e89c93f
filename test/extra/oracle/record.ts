/**
 * Records answers of a real OpenSearch for `test/contract/opensearch-answers.test.ts`.
 * Usage: record.js URL FILE < requests, a request a line: `METHOD PATH BODY`, or the body of a search in `d`.
 * Keeps those to which Millrace gives the same answer already; the others are printed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { startEndpoint } from '../../../src/endpoint.ts'
import { differenceOf } from './compare.ts'
import { loadDocuments } from './load.ts'
import { ask, type Request } from './nodes.ts'

const [url = '', file = ''] = process.argv.slice(2)
const endpoint = await startEndpoint({ flavor: 'opensearch', strict: true })
for (const each of [endpoint.url, url]) await loadDocuments(each)
const lines: string[] = []
for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line.trim() === '' || line.startsWith('#')) continue
  const request = requestOf(line)
  const [ours, theirs] = [await ask(endpoint.url, request), await ask(url, request)]
  const difference = differenceOf(ours, theirs)
  if (difference !== undefined && !difference.isForm)
    console.log(`not kept: ${line}\n  ${JSON.stringify(difference)}`)
  else
    lines.push(
      JSON.stringify([request.method, request.path, request.body ?? null, theirs.status, theirs.text]),
    )
}
writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`)
process.exit(0)

function requestOf(line: string): Request {
  const [, method, path, body = ''] = /^(GET|POST|PUT|DELETE) (\S+) ?(.*)$/.exec(line) ?? []
  if (method === undefined || path === undefined) return { method: 'POST', path: '/d/_search', body: line }
  return body === '' ? { method, path } : { method, path, body }
}
