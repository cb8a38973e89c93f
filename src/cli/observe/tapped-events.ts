/** Events of a running pipeline, as the tap of its node shows them. */
import { SettingsError } from '../../settings/errors.ts'
import type { NodeClient } from '../node-client.ts'

export interface TappedEvent {
  readonly before: Record<string, unknown> | null
  readonly after: readonly Record<string, unknown>[] | null
  readonly counts?: { seen: number; shown: number; dropped: number; stride: number }
}

interface TapPlace {
  readonly pipeline: string
  readonly at: string
  readonly text?: string | undefined
  readonly sample?: string | undefined
}

interface WrittenPlugin {
  readonly id: string
  readonly type: string
  readonly name: string
}

export async function pluginsOf(client: NodeClient, pipeline: string): Promise<WrittenPlugin[]> {
  const path = `/_node/pipelines/${encodeURIComponent(pipeline)}/_plugins`
  return (await client.json<{ plugins: WrittenPlugin[] }>(path)).plugins
}

export async function firstInput(client: NodeClient, pipeline: string): Promise<string> {
  const found = (await pluginsOf(client, pipeline)).find(({ type }) => type === 'input')
  if (found === undefined) throw new SettingsError(`the pipeline ${pipeline} has no input`)
  return found.id
}

/** Until the signal is aborted or the node ends it; counts come as entries of their own. */
export async function* tappedEvents(
  client: NodeClient,
  { pipeline, at, text, sample }: TapPlace,
  signal: AbortSignal,
): AsyncGenerator<TappedEvent> {
  const query = new URLSearchParams({
    at,
    ...(text !== undefined && { q: text }),
    ...(sample !== undefined && { sample }),
  })
  const path = `/_node/pipelines/${encodeURIComponent(pipeline)}/_tap?${query}`
  const response = await client.open(path, signal, { headers: { accept: 'application/x-ndjson' } })
  let rest = ''
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines)
        if (line !== '') yield { before: null, after: null, ...(JSON.parse(line) as object) }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
