/**
 * Document ids made by the sender. A delivery that is repeated, after a lost answer, a worker that ended or a crash of
 * the whole node, then names the same documents again, and what was stored the first time is not stored twice.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type Event, isLasting } from '../../event/event.ts'

/** Longer ones are refused from 512 bytes on; they stand for copies of copies. */
const maxIdLength = 200

/**
 * Ids of the events of one output: the permanent name of the event, and the output, because two outputs may write the
 * same event to one index. Events that came from no queue get an id that is new each time.
 */
export function mintIds(pipelineId: string, outputId: string): (event: Event) => string {
  const output = digest(`${pipelineId}\n${outputId}`).slice(0, 6)
  const own = randomBytes(9).toString('base64url')
  let count = 0
  return (event) => {
    const name = event.permanentName
    if (name === undefined) {
      const id = own + count.toString(36).padStart(8, '0')
      count += 1
      return id
    }
    return name.length > maxIdLength ? digest(name) + output : `${name}${output}`
  }
}

/** Ids for events of persisted queues only: the others cannot be delivered again by another process anyway. */
export function mintLastingIds(pipelineId: string, outputId: string): (event: Event) => string | undefined {
  const mint = mintIds(pipelineId, outputId)
  return (event) => (isLasting(event) ? mint(event) : undefined)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
