/**
 * The bytes of bulk requests: action line and document of each item, each with a newline. A batch is one
 * request unless it is larger than clusters are known to take.
 */
import type { Block } from '../../../plugin/define.ts'
import { encodeBlock } from '../../../plugin/encode-buffer.ts'
import type { BulkAction } from './bulk-actions.ts'

export const targetBulkBytes = 20 * 1024 * 1024

export interface BulkRequest {
  readonly actions: readonly BulkAction[]
  readonly block: Block
}

/** A single item may be larger than the limit. */
export function bulkRequests(actions: readonly BulkAction[], limit = targetBulkBytes): BulkRequest[] {
  const block = encodeActions(actions)
  if (block.bytes.length <= limit || actions.length === 1) return [{ actions, block }]
  return cutBySize(actions, block.bytes, limit)
}

export function encodeActions(actions: readonly BulkAction[]): Block {
  let next = 0
  const write = (): string => {
    const { line, document } = actions[next++]!
    return document === undefined ? `${line}\n` : `${line}\n${document()}\n`
  }
  return encodeBlock(
    actions.map(({ event }) => event),
    write,
    '',
  )
}

/** JSON has no bare newlines, so items are counted by theirs. */
function cutBySize(actions: readonly BulkAction[], bytes: Uint8Array, limit: number): BulkRequest[] {
  const requests: BulkRequest[] = []
  let from = 0
  let start = 0
  let end = 0
  const close = (to: number) => {
    if (to === from) return
    const part = new Uint8Array(bytes.subarray(start, end))
    requests.push({ actions: actions.slice(from, to), block: { target: '', bytes: part, count: to - from } })
    from = to
    start = end
  }
  actions.forEach(({ document }, index) => {
    let after = bytes.indexOf(10, end) + 1
    if (document !== undefined) after = bytes.indexOf(10, after) + 1
    if (after - start > limit) close(index)
    end = after
  })
  close(actions.length)
  return requests
}
