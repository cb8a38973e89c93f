/** `_msearch` with exact totals: each search of it that says nothing about them is told to count all hits. */

import { own } from '../../../search/request/json-object.ts'
import { lineFeed } from '../../../text/ascii.ts'
import { searchRequest } from './search-request.ts'

const path = /^(?:\/[^/]+)?\/_msearch\/?$/
const exact = Buffer.from('"track_total_hits":true')

export function isMultiSearch(method: string, path_: string): boolean {
  return (method === 'GET' || method === 'POST') && path.test(path_)
}

/** Every second line is a body; lines that cannot be read stay as they are. */
export function withExactTotals(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  let isBody = false
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(lineFeed, at)
    const line = body.subarray(at, end < 0 ? body.length : end + 1)
    pieces.push(...(isBody ? exactly(line) : [line]))
    isBody = !isBody
    at += line.length
  }
  return Buffer.concat(pieces)
}

function exactly(line: Buffer): readonly Buffer[] {
  const brace = line.indexOf('{')
  const request = searchRequest('/_search', noParameters, line)
  if (brace < 0 || request === undefined) return [line]
  const { body } = request
  if (['track_total_hits', 'terminate_after'].some((name) => own(body, name) !== undefined)) return [line]
  const comma = Buffer.from(Object.keys(body).length === 0 ? '' : ',')
  return [line.subarray(0, brace + 1), exact, comma, line.subarray(brace + 1)]
}

const noParameters = new URLSearchParams()
