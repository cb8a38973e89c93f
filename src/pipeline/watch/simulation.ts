/**
 * Runs events through the filters of a plan, one at a time and with nothing behind them: no input is started and no
 * output is created; of outputs it only says which would have been given an event. Filters are the real ones, made by
 * the same compiler as those of a running pipeline, so what they ask of the outside is asked.
 */
import { Event } from '../../event/event.ts'
import type { Fields } from '../../event/value.ts'
import { Board } from '../../metrics/board.ts'
import { keysOf } from '../plan/board-keys.ts'
import type { CheckEnvironment } from '../plan/check.ts'
import { generateOutputs, type OutputProgram } from '../plan/generate.ts'
import { type Plan, type PlannedPlugin, pluginsOf } from '../plan/plan.ts'
import { Execution } from '../run/execution.ts'
import { type Journey, JourneyRecorder, type JourneyStep } from './journey.ts'

export interface SimulatedEvent {
  readonly input: Fields
  /** What left the filters. */
  readonly output: readonly Fields[]
  /** Ids of the outputs each of them would have gone to. */
  readonly outputs: readonly (readonly string[])[]
  readonly steps: readonly JourneyStep[]
}

export class Simulation {
  readonly #execution: Execution
  readonly #outputs: OutputProgram
  readonly #recorder = new JourneyRecorder()
  readonly #abort = new AbortController()
  #targets = new Map<Event, string[]>()
  #next = 0

  private constructor(plan: Plan, env: CheckEnvironment) {
    const filters: Plan = { ...plan, inputs: [], outputs: [], former: [] }
    this.#execution = new Execution({
      ...env,
      deadLetters: undefined,
      isolated: false,
      plan: filters,
      board: Board.create(keysOf(filters), 1),
      row: 0,
      ordered: false,
      abort: this.#abort.signal,
      write: () => undefined,
    })
    this.#execution.observer = this.#recorder
    this.#outputs = generateOutputs(
      plan.outputs,
      {
        filter: () => ({ call: (batch) => batch, async: false, flush: undefined }),
        output: (plugin) => (batch) => this.#note(plugin, batch),
        conditionFailed: () => true,
      },
      env.conditions,
      `millrace:///simulation/${plan.hash.slice(0, 12)}/outputs.js`,
    )
  }

  /** Throws when a filter refuses its options or cannot be registered. */
  static async open(plan: Plan, env: CheckEnvironment): Promise<Simulation> {
    const simulation = new Simulation(plan, env)
    await simulation.#execution.registerFilters()
    return simulation
  }

  async run(event: Event): Promise<SimulatedEvent> {
    event.lineage = 'simulation'
    event.sequence = this.#next++
    const input = event.toHashWithMetadata()
    const journey = this.#recorder.followAlone(event)
    const left = await this.#execution.filterProgram.run([event])
    return this.#result(input, left, journey)
  }

  /** What filters still hold back, as at the end of a pipeline; undefined when that is nothing. */
  async flush(): Promise<SimulatedEvent | undefined> {
    const journey = this.#recorder.followAlone(new Event({}))
    const left = await this.#execution.filterProgram.flush([], true)
    return left.length === 0 ? undefined : this.#result({}, left, journey)
  }

  async #result(input: Fields, left: readonly Event[], journey: Journey): Promise<SimulatedEvent> {
    this.#targets = new Map()
    await this.#outputs.run([...left])
    return {
      input,
      output: left.map((event) => event.toHashWithMetadata()),
      outputs: left.map((event) => this.#targets.get(event) ?? []),
      steps: journey.steps,
    }
  }

  #note({ id }: PlannedPlugin, batch: readonly Event[]): void {
    for (const event of batch) {
      const ids = this.#targets.get(event)
      if (ids === undefined) this.#targets.set(event, [id])
      else ids.push(id)
    }
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.#execution.close()
  }
}

interface SimulatedPlugin {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Filters and outputs of a plan, for whoever reads steps. */
export function simulatedPlugins(plan: Plan): SimulatedPlugin[] {
  return [...pluginsOf(plan.filters), ...pluginsOf(plan.outputs)].map(({ id, type, name, part, node }) => ({
    id,
    type,
    name,
    file: part.id,
    line: node.place.line,
    column: node.place.column,
  }))
}
