/** The files an output writes to, as the options say that the file and csv outputs share. */
import type { Compile } from '../../plugin/compile.ts'
import { type OptionValues, option, type PluginLogger } from '../../plugin/define.ts'
import { maxTimer } from '../../time/max-timer.ts'
import { FileDelivery } from './file-delivery.ts'
import { compileFilePaths, type FilePaths } from './file-path.ts'
import { OpenFiles } from './open-files.ts'

const maxOpenFiles = 500

export const filePathOption = option.string({
  required: true,
  doc: 'File to write to; may contain `%{…}`, but not in its first folder.',
})

export const fileOptions = {
  filename_failure: option.string({
    default: '_filepath_failures',
    doc: 'File for events whose path would leave the fixed folder at the start of `path`.',
  }),
  dir_mode: option.number({
    default: -1,
    doc: 'Access mode of folders that are created, e.g. `0750`; -1 leaves it to the system.',
  }),
  file_mode: option.number({
    default: -1,
    doc: 'Access mode of files that are created, e.g. `0640`; -1 leaves it to the system.',
  }),
  write_behavior: option.oneOf(['append', 'overwrite'], {
    default: 'append',
    doc: 'Whether to add to a file, or to replace its content, so that it holds the latest event only.',
  }),
  stale_cleanup_interval: option.number({
    default: 10,
    doc: 'Files that were not written to for this many seconds are closed.',
  }),
}

type FileChoice = OptionValues<typeof fileOptions> & { readonly path: string }

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
    this.#staleMillis = Math.min(Math.max(1, options.stale_cleanup_interval) * 1000, maxTimer)
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
