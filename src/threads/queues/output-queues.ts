/**
 * Persisted queues of single outputs (`output.isolation`), each in a folder of its own below that of the pipeline's
 * queue. A folder is named after the id of the output, or after its options where it has none; so a changed output would
 * leave what waited for it behind. Where it is plain which output took the place of which, that one takes over the queue,
 * as Logstash gives what is in a queue to the outputs of its new configuration; otherwise the log says where events wait.
 */
import { inputKey } from '../../pipeline/frames/former-inputs.ts'
import { type Plan, type PlannedPlugin, pluginsOf } from '../../pipeline/plan/plan.ts'
import { PersistedOutputQueue, wireItems } from '../../pipeline/run/output-queue.ts'
import { PersistedQueue } from '../../queue/persisted/persisted-queue.ts'
import { outputsFolder, waitingEvents } from '../../queue/persisted/queue-check.ts'
import { lockQueue } from '../../queue/persisted/queue-lock.ts'
import type { QueueEnvironment, QueueSettings } from '../../queue/persisted/queue-options.ts'

export class OutputQueues {
  readonly #env: QueueEnvironment
  readonly #directory: string
  #folders: ReadonlyMap<PlannedPlugin, string> = new Map()

  /** `env` of the pipeline's queue. */
  constructor(env: QueueEnvironment) {
    this.#env = env
    this.#directory = `${env.directory}/${outputsFolder}`
  }

  /** Before the queues of the plan are opened, and after those of an earlier one were closed. */
  use(plan: Plan, isIsolated: boolean): void {
    this.#folders = isIsolated ? foldersOf(pluginsOf(plan.outputs)) : new Map()
    const left = this.#leftBehind()
    for (const [folder, events] of left) {
      const heir = isIsolated ? this.#heirOf(folder, [...left.keys()]) : undefined
      if (heir !== undefined) this.#pass(folder, heir, events)
      else this.#tell(folder, events, isIsolated)
    }
  }

  /** Folders that belong to no output of the plan, with the events that wait there. */
  #leftBehind(): Map<string, number> {
    const used = new Set(this.#folders.values())
    const left = new Map<string, number>()
    for (const folder of this.#env.files.list(this.#directory)) {
      const events = used.has(folder) ? 0 : this.#waitingIn(folder)
      if (events > 0) left.set(folder, events)
    }
    return left
  }

  #waitingIn(folder: string): number {
    try {
      return waitingEvents(this.#env.files, `${this.#directory}/${folder}`)
    } catch (error) {
      this.#env.log('warn', `${this.#directory}/${folder} cannot be read: ${(error as Error).message}`)
      return 0
    }
  }

  /** The one output of the same kind that has no queue yet, when only one queue of that kind was left. */
  #heirOf(folder: string, left: readonly string[]): PlannedPlugin | undefined {
    const name = nameOf(folder)
    if (name === undefined || left.filter((other) => nameOf(other) === name).length > 1) return undefined
    const [heir, ...others] = [...this.#folders].filter(
      ([plugin, own]) => plugin.name === name && !this.#env.files.exists(`${this.#directory}/${own}`),
    )
    return others.length > 0 ? undefined : heir?.[0]
  }

  #pass(folder: string, heir: PlannedPlugin, events: number): void {
    const { files, log } = this.#env
    const own = this.#folders.get(heir)!
    files.rename(`${this.#directory}/${folder}`, `${this.#directory}/${own}`)
    files.syncDirectory(this.#directory)
    const which = heir.explicitId ? `output ${heir.name} (${heir.id})` : `output ${heir.name}`
    log('warn', `The ${which} takes over ${events} events that waited for one it replaces, in ${folder}`)
  }

  #tell(folder: string, events: number, isIsolated: boolean): void {
    const path = `${this.#directory}/${folder}`
    const whose = isIsolated
      ? 'an output that the configuration has no more'
      : 'an output, whose queue is read only with `output.isolation: true`'
    const hint = `\`millrace queue export ${path}\` prints them`
    this.#env.log('warn', `${events} events wait in ${path} for ${whose}; ${hint}`)
  }

  async open(plugin: PlannedPlugin, settings: QueueSettings): Promise<PersistedOutputQueue> {
    const { files, log } = this.#env
    const directory = `${this.#directory}/${this.#folders.get(plugin)}`
    files.makeDirectory(directory)
    const lock = await lockQueue(directory)
    try {
      const queue = await PersistedQueue.open({ files, directory, log }, settings, wireItems)
      return new PersistedOutputQueue(queue, () => lock.release())
    } catch (error) {
      await lock.release()
      throw error
    }
  }
}

/** Each output its own, also when two are written alike, or their ids become the same name of a file. */
function foldersOf(outputs: readonly PlannedPlugin[]): Map<PlannedPlugin, string> {
  const folders = new Map<PlannedPlugin, string>()
  const given = new Set<string>()
  for (const plugin of outputs) {
    const key = (plugin.explicitId ? `id ${plugin.id}` : inputKey(plugin)).replaceAll(/[^\w.-]/g, '_')
    let folder = key
    for (let number = 2; given.has(folder); number++) folder = `${key}.${number}`
    given.add(folder)
    folders.set(plugin, folder)
  }
  return folders
}

/** The plugin whose options a folder is named after. */
function nameOf(folder: string): string | undefined {
  return /^(?!id_)(\w+)_[\w-]{16}(?:\.\d+)?$/.exec(folder)?.[1]
}
