/** The files an output writes to, as the options say that the file and csv outputs share. */
import type { Compile } from '../../plugin/compile.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import { FileDelivery } from './file-delivery.ts'
import { compileFilePaths, type FilePaths } from './file-path.ts'
import { OpenFiles } from './open-files.ts'
import { longestTimer } from './pause.ts'

const maxOpenFiles = 500

interface FileChoice {
  readonly path: string
  readonly filename_failure: string
  readonly dir_mode: number
  readonly file_mode: number
  readonly write_behavior: 'append' | 'overwrite'
  readonly stale_cleanup_interval: number
}

interface Surroundings {
  readonly compile: Compile
  readonly logger: PluginLogger
  readonly abort: AbortSignal
}

export class OutputFiles {
  readonly paths: FilePaths
  readonly files: OpenFiles
  readonly delivery: FileDelivery
  readonly #staleMillis: number
  #cleanup: NodeJS.Timeout | undefined

  constructor(options: FileChoice, { compile, logger, abort }: Surroundings) {
    this.paths = compileFilePaths(options.path, options.filename_failure, compile, (event, filename) => {
      const message =
        'File: the event tried to write outside the files root, writing the event to the failure file'
      logger.warn(message, { event: event.toString(), filename })
    })
    this.files = new OpenFiles({
      logger,
      dirMode: options.dir_mode,
      fileMode: options.file_mode,
      overwrite: options.write_behavior === 'overwrite',
      limit: maxOpenFiles,
    })
    this.delivery = new FileDelivery({ files: this.files, paths: this.paths, logger, abort })
    this.#staleMillis = Math.min(Math.max(1, options.stale_cleanup_interval) * 1000, longestTimer)
  }

  /** From now on, files that nobody writes to are closed. */
  start(): void {
    this.#cleanup = setInterval(() => void this.files.closeStale(), this.#staleMillis)
    this.#cleanup.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#cleanup)
    await this.files.close()
  }
}
