/** The real program with the pipeline of the soak, in a memory cgroup where that is possible. */
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryCgroup } from '../support/memory-cgroup.ts'
import { freePort, Millrace } from '../support/millrace.ts'
import type { SoakOptions } from './options.ts'
import { killFilter, type Ports, pipelineConfig } from './pipeline-config.ts'
import type { Endpoints } from './readers.ts'

const bytesPerMegabyte = 1024 * 1024
const startLimit = 60_000
/** What the launcher sets where Node.js can start itself again, and a service file where it cannot. */
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_TRIM_THRESHOLD_: '32768',
}

export class Program {
  readonly millrace: Millrace
  readonly ports: Ports
  readonly cgroup: MemoryCgroup | string
  reloads = 0

  private constructor(millrace: Millrace, ports: Ports, cgroup: MemoryCgroup | string) {
    this.millrace = millrace
    this.ports = ports
    this.cgroup = cgroup
  }

  static async start(options: SoakOptions, folder: string): Promise<Program> {
    const ports = { tcp: await freePort(), beats: await freePort(), http: await freePort() }
    const cgroup = MemoryCgroup.create(options.memory * bytesPerMegabyte)
    const millrace = await Millrace.start({
      folder,
      config: pipelineConfig(ports, folder, 0),
      files: { 'plugins/filters/soak_kill.js': killFilter },
      settings: `queue.type: ${options.queue}\n`,
      env: allocator,
      api: true,
      search: true,
      args: [
        ...['-w', String(options.workers), '--pipeline.ecs_compatibility', 'v8'],
        ...['-r', '--config.reload.interval', '1s', '--path.plugins', 'plugins'],
      ],
      ...(typeof cgroup !== 'string' && { wrapper: cgroup.wrapper }),
    })
    const program = new Program(millrace, ports, cgroup)
    try {
      await millrace.untilStarted(startLimit)
      await millrace.untilSearchable(startLimit)
    } catch (error) {
      await program.dispose()
      throw error
    }
    return program
  }

  /** Ends the process if it still runs. */
  async dispose(): Promise<void> {
    await this.millrace.dispose()
    if (typeof this.cgroup !== 'string') await this.cgroup.remove()
  }

  get endpoints(): Endpoints {
    const { apiPort, searchPort } = this.millrace
    return { api: `http://127.0.0.1:${apiPort}`, search: `http://127.0.0.1:${searchPort}` }
  }

  /** Puts a new configuration in place, whole at any moment. */
  reload(): void {
    const { configPath, folder } = this.millrace
    this.reloads += 1
    writeFileSync(`${configPath}.new`, pipelineConfig(this.ports, folder, this.reloads))
    renameSync(`${configPath}.new`, configPath)
  }

  /** How many worker threads were ended on purpose so far. */
  get workerKills(): number {
    const folder = join(this.millrace.folder, 'kills')
    return existsSync(folder) ? readdirSync(folder).length : 0
  }

  /** Events that went in and are not out yet; NaN when the program does not say. */
  async inside(): Promise<number> {
    try {
      const { pipelines } = (await this.millrace.api('/_node/stats/pipelines')) as {
        pipelines: { main: { events: { in: number; out: number } } }
      }
      return pipelines.main.events.in - pipelines.main.events.out
    } catch {
      return Number.NaN
    }
  }

  /** Lines of the log that say something went wrong, the first of each kind. */
  problems(): string[] {
    const lines = this.millrace.stdout
      .split('\n')
      .filter((line) => /\]\[(ERROR|FATAL|WARN ?)\s*\]\[/.test(line))
    const kinds = new Map<string, string>()
    for (const line of lines) {
      const kind = line
        .replace(/^\[[^\]]*\]/, '')
        .replace(/\d+/g, '#')
        .slice(0, 80)
      if (!kinds.has(kind)) kinds.set(kind, line.slice(0, 300))
    }
    return [...kinds.values()].slice(0, 20)
  }
}
