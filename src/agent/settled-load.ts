/**
 * Reads the configuration until it holds still. Editors and deployment tools empty a file before they write it, or take
 * it away before they put the next one there: what differs from what runs is believed when a second reading, a moment
 * later, finds the same.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { configFingerprint, type PipelineConfig } from './pipeline-state.ts'

const settleMillis = 300
const maxReadings = 10

type Load = () => Promise<PipelineConfig[]>

/** Undefined when it did not hold still; rejects when it cannot be read twice in a row. */
export async function settledLoad(
  load: Load,
  isKnown: (configs: readonly PipelineConfig[]) => boolean,
  pause: () => Promise<unknown> = () => wait(settleMillis),
): Promise<PipelineConfig[] | undefined> {
  let before = await readingOf(load)
  for (let readings = 1; readings < maxReadings; readings++) {
    if ('configs' in before && isKnown(before.configs)) return before.configs
    await pause()
    const now = await readingOf(load)
    if (before.text === now.text) {
      if ('configs' in now) return now.configs
      throw now.error
    }
    before = now
  }
  return undefined
}

type Reading = { text: string; configs: PipelineConfig[] } | { text: string; error: unknown }

/** `text` is the same for the same configuration, or the same failure. */
async function readingOf(load: Load): Promise<Reading> {
  try {
    const configs = await load()
    return { text: configs.map((config) => `${config.id} ${configFingerprint(config)}`).join('\n'), configs }
  } catch (error) {
    return { text: `error ${(error as Error).message}`, error }
  }
}

/** Texts the pipeline runs that are now missing altogether, or empty: nobody asks for a pipeline like that. */
export function vanishedTexts(running: PipelineConfig, found: PipelineConfig): string[] {
  if (found.parts.length === 0) return running.parts.map(({ id }) => id)
  const filled = new Set(running.parts.filter(({ text }) => text.trim() !== '').map(({ id }) => id))
  return found.parts.filter(({ id, text }) => text.trim() === '' && filled.has(id)).map(({ id }) => id)
}
