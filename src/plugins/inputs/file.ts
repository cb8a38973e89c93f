/**
 * Reads events from files, line by line: in tail mode what is appended to them, in read mode whole files, once.
 * How far each file was delivered is kept in the sincedb, so that a restart goes on where the last run ended.
 */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type OptionValues, type Origin } from '../../plugin/define.ts'
import { makeDirectory } from '../../storage/make-directory.ts'
import { Stop } from '../receiving/stop.ts'
import { CompletedFiles } from './file/completed-files.ts'
import { compareFiles } from './file/discovery.ts'
import { milliseconds } from './file/duration.ts'
import { fileOptions, unlimitedChunks } from './file/options.ts'
import { ReadMode } from './file/read-mode.ts'
import { Sincedb } from './file/sincedb.ts'
import { TailMode } from './file/tail-mode.ts'
import type { Watching } from './file/watching.ts'

const windowsPath = /^[A-Za-z]:[\\/]/

/** Chunks of this size are read when the configuration does not ask for files to be read in turns. */
const largeChunk = 262_144

export default defineInput({
  name: 'file',
  summary: 'Reads events from files, line by line.',
  options: fileOptions,
  concerns(options) {
    const elsewhere = options.path.filter((path) => windowsPath.test(path) && !isAbsolute(path))
    const path = options.path.filter((one) => !elsewhere.includes(one))
    return [
      ...startConcern('path', () => checkOptions({ ...options, path })),
      ...elsewhere.map((one) => ({
        option: 'path',
        message: `The path ${one} is absolute on Windows only.`,
      })),
    ]
  },
  create({ options, ecs, codec, abort, logger, setting }) {
    const stop = new Stop()
    const host = hostname()
    const completed = new CompletedFiles(
      options.file_completed_action,
      options.file_completed_log_path,
      logger,
    )
    let sincedb: Sincedb | undefined
    let settings: ReturnType<typeof readSettings> | undefined

    const originOf = (path: string): Origin => ({
      fields: [
        [ecs === 'disabled' ? 'host' : '[host][name]', host],
        [ecs === 'disabled' ? 'path' : '[log][file][path]', path],
      ],
      overwrite: [
        ['[@metadata][path]', path],
        ['[@metadata][host]', host],
      ],
    })

    const readSettings = () => ({
      statMilliseconds: milliseconds(options.stat_interval),
      ignoreOlderMilliseconds:
        options.ignore_older === undefined ? undefined : milliseconds(options.ignore_older),
      closeOlderMilliseconds: milliseconds(options.close_older),
      writeMilliseconds: milliseconds(options.sincedb_write_interval),
      expiryMilliseconds: milliseconds(options.sincedb_clean_after, 'd'),
    })

    const sincedbPath = async (): Promise<string> => {
      if (options.sincedb_path !== undefined) return options.sincedb_path
      const data = setting('path.data')
      const folder = join(typeof data === 'string' ? data : 'data', 'plugins', 'inputs', 'file')
      await makeDirectory(folder)
      const path = join(folder, `.sincedb_${createHash('md5').update(options.path.join(',')).digest('hex')}`)
      logger.info('No sincedb_path set, generating one based on the "path" setting', {
        sincedb_path: path,
        path: options.path,
      })
      return path
    }

    const register = async () => {
      checkOptions(options)
      if (options.mode === 'read') await completed.check()
      const durations = readSettings()
      settings = durations
      sincedb = await Sincedb.open({
        path: await sincedbPath(),
        writeMilliseconds: durations.writeMilliseconds,
        expiryMilliseconds: durations.expiryMilliseconds,
        logger,
      })
    }

    return {
      register,
      async run(sink) {
        if (sincedb === undefined || settings === undefined) await register()
        const inTurns = options.file_chunk_count < unlimitedChunks
        const watching: Watching = {
          ...settings!,
          sink,
          sincedb: sincedb!,
          stop,
          abort,
          logger,
          completed,
          originOf,
          delimiter: Buffer.from(options.delimiter),
          reusesChunks: setting('queue.type') !== 'persisted',
          hasStatefulCodec: codec.decoder !== undefined,
          patterns: options.path,
          exclude: options.exclude,
          discoverInterval: Math.max(1, options.discover_interval),
          maxOpenFiles: Math.max(1, options.max_open_files),
          chunkBytes: inTurns ? options.file_chunk_size : Math.max(options.file_chunk_size, largeChunk),
          chunkCount: inTurns ? Math.max(1, options.file_chunk_count) : Number.POSITIVE_INFINITY,
          startAtEnd: options.start_position === 'end',
          exitAfterRead: options.exit_after_read,
          checkArchives: options.check_archive_validity,
          compare: compareFiles(options.file_sort_by, options.file_sort_direction),
        }
        const mode = options.mode === 'read' ? new ReadMode(watching) : new TailMode(watching)
        try {
          await mode.run()
        } finally {
          await sincedb!.write()
        }
      },
      stop() {
        stop.request()
      },
      async close() {
        await sincedb?.write()
      },
    }
  },
})

function checkOptions({ path, exit_after_read, mode }: OptionValues<typeof fileOptions>): void {
  const relative = path.find((one) => !isAbsolute(one))
  if (relative !== undefined)
    throw new Error(`File paths must be absolute, relative path specified: ${relative}`)
  if (exit_after_read && mode !== 'read')
    throw new Error('The "exit_after_read" setting only works when the "mode" is set to "read"')
}
