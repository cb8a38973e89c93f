/** Where events wait on the disk that nobody reads with the configuration of now, and how many they are. */
import type { Settings } from '../../settings/settings.ts'
import { lockFile } from '../../storage/data-lock.ts'
import { diskFiles, type Files } from '../../storage/files.ts'
import { queueFolder } from './pipeline-folder.ts'

/** How many folders below `path.queue` are looked into. */
const maxDepth = 4

/** Queues of pipelines that are no more, or have another id now: Logstash leaves them without a word. */
export class AbandonedQueues {
  readonly #files: Files
  readonly #warn: (message: string) => void
  readonly #told = new Set<string>()
  #known = ''

  constructor(warn: (message: string) => void, files = diskFiles) {
    this.#warn = warn
    this.#files = files
  }

  /** Says once of each where its events are. `pipelines`: the settings of all there are. */
  async tell(pipelines: readonly Settings[]): Promise<void> {
    const own = new Set(pipelines.map(queueFolder))
    const known = [...own].sort().join('\n')
    if (known === this.#known) return
    this.#known = known
    for (const root of new Set(pipelines.map((settings) => settings.get('path.queue')))) {
      for (const directory of this.#below(root)) await this.#tellOf(directory, own)
    }
  }

  #below(root: string): string[] {
    try {
      return this.#files.list(root).map((name) => `${root}/${name}`)
    } catch (error) {
      this.#warn(`${root} cannot be read: ${(error as Error).message}`)
      return []
    }
  }

  async #tellOf(directory: string, own: ReadonlySet<string>, depth = 1): Promise<void> {
    try {
      const { outputsFolder, waitingBelow } = await import('../../queue/persisted/queue-check.ts')
      const names = this.#files.list(directory)
      // An id such as `a/b` was a folder in a folder once, maybe in that of another pipeline.
      for (const name of depth < maxDepth ? names : [])
        if (name !== outputsFolder && !name.startsWith('millrace.'))
          await this.#tellOf(`${directory}/${name}`, own, depth + 1)
      if (own.has(directory) || this.#told.has(directory)) return
      if (waitingBelow(this.#files, directory).length === 0) return
      // Another node may have the same `path.queue`.
      const lock = await lockFile(`${directory}/.lock`, () => new QueueInUse()).catch((error: unknown) => {
        if (error instanceof QueueInUse) return undefined
        throw error
      })
      if (lock === undefined) return
      await lock.release()
      this.#told.add(directory)
      for (const { path, events } of waitingBelow(this.#files, directory))
        this.#warn(
          `${events} events wait in ${path}, and no pipeline has this queue; \`millrace queue export ${path}\` prints them`,
        )
    } catch (error) {
      // Whatever else is kept there.
      if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return
      this.#warn(`${directory} cannot be read: ${(error as Error).message}`)
    }
  }
}

class QueueInUse extends Error {}
