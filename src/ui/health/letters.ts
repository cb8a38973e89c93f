/** Dead letters as the node lists them, and the body that sends some of them through their pipeline again. */
import { parseExact, writeExact } from '../api/exact-json.ts'

export interface Letter {
  readonly segment: number
  readonly offset: number
  readonly entry_time: string
  readonly plugin_type: string
  readonly plugin_id: string
  readonly reason: string
  /** Null when it cannot be read. */
  readonly event: unknown
  readonly problem?: string
}

export interface LetterPage {
  readonly entries: readonly Letter[]
  readonly next: string | null
  readonly damaged: number
}

export function pathOf(
  pipeline: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1])
  const query = new URLSearchParams(given).toString()
  return `/_node/pipelines/${encodeURIComponent(pipeline)}/_dead_letters${query === '' ? '' : `?${query}`}`
}

export function replayBody(letters: readonly Letter[]): string {
  return writeExact({ entries: letters.map(({ segment, offset }) => ({ segment, offset })) }, 0)
}

/** With the event as somebody wrote it. Throws when that is no JSON object. */
export function changedBody({ segment, offset }: Letter, text: string): string {
  const event = parseExact(text)
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new Error('An event is a JSON object.')
  // As written: the node reads its numbers, however many digits they have.
  return `{"entries":[{"segment":${segment},"offset":${offset},"event":${text}}]}`
}
