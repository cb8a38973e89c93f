/** What is wrong with the settings of the queues of a pipeline, so that `-t` says what the start would. */
import { parseAge } from '../../queue/dead-letters/retention.ts'
import type { Settings } from '../../settings/settings.ts'
import { ownQueueFolder } from './own-queue-folder.ts'
import { ownLettersFolder } from './pipeline-folder.ts'
import { queueSettingsOf } from './pipeline-queue.ts'

export function queueProblems(settings: Settings): string[] {
  const checks: (() => unknown)[] = []
  if (settings.get('queue.type') === 'persisted')
    checks.push(
      () => queueSettingsOf(settings),
      () => ownQueueFolder(settings),
    )
  if (settings.get('dead_letter_queue.enable'))
    checks.push(
      () => parseAge(settings.get('dead_letter_queue.retain.age') ?? '0s'),
      () => ownLettersFolder(settings),
    )
  return checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
}
