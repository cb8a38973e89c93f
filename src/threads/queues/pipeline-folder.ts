/**
 * The folders that are named after a pipeline: that of its queue and that of its dead letters. Logstash takes any text as
 * `pipeline.id`; one that is no name of a folder would put files into the folder of another pipeline, or outside of all.
 */
import { listSegments } from '../../queue/dead-letters/segment-files.ts'
import type { Settings } from '../../settings/settings.ts'
import { diskFiles } from '../../storage/files.ts'

/** Where the queue is, or was: to be looked at only. */
export function queueFolder(settings: Settings): string {
  return below(settings, 'path.queue')
}

/** The folder of the dead letters. Throws when the id is no name for one. */
export function ownLettersFolder(settings: Settings): string {
  const directory = below(settings, 'path.dead_letter_queue')
  if (isFolderName(settings.get('pipeline.id'))) return directory
  const segments = quietly(() => listSegments(diskFiles, directory))
  const kept = segments.length === 0 ? '' : `; the dead letters in ${directory} stay there`
  throw new Error(`${refusal(settings, 'dead letter queue', 'path.dead_letter_queue')}${kept}`)
}

type Root = 'path.queue' | 'path.dead_letter_queue'

function below(settings: Settings, root: Root): string {
  return `${settings.get(root)}/${settings.get('pipeline.id')}`
}

export function isFolderName(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..' && !id.includes('/') && !id.includes('\0')
}

export function refusal(settings: Settings, what: string, root: Root): string {
  const id = JSON.stringify(settings.get('pipeline.id'))
  return `Invalid configuration, pipeline.id ${id} cannot be the name of the folder of its ${what} in ${settings.get(root)}`
}

/** A folder that cannot be read is no other reason to refuse. */
export function quietly<T>(look: () => T[]): T[] {
  try {
    return look()
  } catch {
    return []
  }
}
