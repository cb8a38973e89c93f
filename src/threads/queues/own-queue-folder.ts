/** The folder that a persisted queue writes to. Apart from its name, as finding out what waits in it takes the code of queues. */
import { waitingBelow } from '../../queue/persisted/queue-check.ts'
import type { Settings } from '../../settings/settings.ts'
import { diskFiles } from '../../storage/files.ts'
import { isFolderName, queueFolder, quietly, refusal } from './pipeline-folder.ts'

/** Throws when the id of the pipeline is no name for a folder. */
export function ownQueueFolder(settings: Settings): string {
  const directory = queueFolder(settings)
  if (isFolderName(settings.get('pipeline.id'))) return directory
  const waiting = quietly(() => waitingBelow(diskFiles, directory)).map(
    ({ path, events }) => `; ${events} events wait in ${path}, \`millrace queue export ${path}\` prints them`,
  )
  throw new Error(`${refusal(settings, 'persisted queue', 'path.queue')}${waiting.join('')}`)
}
