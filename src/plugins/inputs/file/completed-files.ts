/** What happens to a file that has been read and delivered completely, in read mode. */
import { appendFile, open, unlink } from 'node:fs/promises'
import type { PluginLogger } from '../../../plugin/define.ts'
import type { Sincedb } from './sincedb.ts'

type CompletedAction = 'delete' | 'log' | 'log_and_delete'

export class CompletedFiles {
  readonly #action: CompletedAction
  readonly #logPath: string | undefined
  readonly #logger: PluginLogger

  constructor(action: CompletedAction, logPath: string | undefined, logger: PluginLogger) {
    this.#action = action
    this.#logPath = logPath
    this.#logger = logger
  }

  /** Finds out at start whether the list of completed files can be written. */
  async check(): Promise<void> {
    if (this.#action === 'delete') return
    if (this.#logPath === undefined) {
      throw new Error(
        'The "file_completed_log_path" setting must be provided when the "file_completed_action" is set to "log" or "log_and_delete"',
      )
    }
    try {
      await (await open(this.#logPath, 'a')).close()
    } catch {
      throw new Error(`The "file_completed_log_path" file can't be created: ${this.#logPath}`)
    }
  }

  async complete(path: string, key: string, sincedb: Sincedb): Promise<void> {
    try {
      if (this.#action !== 'delete') await appendFile(this.#logPath!, `${path}\n`)
      if (this.#action === 'log') return
      await unlink(path)
      // The inode is free for a new file, which must not be taken for this one.
      sincedb.delete(key)
    } catch (error) {
      this.#logger.error('The action for a completed file failed', {
        path,
        action: this.#action,
        message: (error as Error).message,
      })
    }
  }
}
