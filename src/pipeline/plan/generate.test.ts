import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import type { BranchNode, Condition } from '../../lang/ast.ts'
import { parse } from '../../lang/parser.ts'
import { generateFilters, generateOutputs, type StageHooks } from './generate.ts'
import type { IfStage, PlannedPlugin, Stage } from './plan.ts'

const options = { mode: 'logstash', supportEscapes: false, substitute: (text: string) => text } as const

function condition(text: string): Condition {
  return (parse(`filter { if ${text} { } }`).sections[0]!.body[0] as BranchNode).cases[0]!.condition
}

const plugin = (name: string): Stage => ({
  kind: 'plugin',
  plugin: { id: name, name, node: { place: { line: 7 } } } as PlannedPlugin,
})

function when(text: string, matching: Stage[], otherwise: Stage[] = []): IfStage {
  const part = { protocol: 'string', id: 'test', text }
  return { kind: 'if', id: text, condition: condition(text), part, matching, otherwise }
}

/** Plugins that note which events they saw; `drop` cancels, `twice` adds a copy behind each event. */
class Recorder implements StageHooks {
  readonly seen: Record<string, unknown[]> = {}
  readonly failed: unknown[] = []

  #note(name: string, batch: Event[]): void {
    this.seen[name] = [...(this.seen[name] ?? []), ...batch.map((event) => event.data['n'])]
  }

  filter({ id }: PlannedPlugin) {
    const call = (batch: Event[]): Event[] => {
      this.#note(id, batch)
      if (id === 'drop') return []
      return id === 'twice' ? batch.flatMap((event) => [event, event.clone()]) : batch
    }
    const flush = async (batch: Event[]) => [...batch, Event.from({ n: `${id} flushed` })]
    return id.startsWith('async')
      ? { call: async (batch: Event[]) => call(batch), async: true, flush: undefined }
      : { call, async: false, flush: id === 'flusher' ? flush : undefined }
  }

  output({ id }: PlannedPlugin) {
    return (batch: Event[]) => this.#note(id, batch)
  }

  conditionFailed(_: IfStage, event: Event): boolean {
    this.failed.push(event.data['n'])
    return false
  }
}

const numbered = (...values: (number | string)[]) =>
  values.map((n) => Event.from({ n, odd: typeof n === 'number' && n % 2 === 1 }))
const numbers = (events: Event[]) => events.map((event) => event.data['n'])

describe('filters over a batch', () => {
  it('run stage after stage, the then-branch before the else-branch', async () => {
    const hooks = new Recorder()
    const stages = [plugin('f0'), when('[odd]', [plugin('A')], [plugin('B')]), plugin('C')]
    const program = generateFilters(stages, hooks, options, 'test')
    const result = await program.run(numbered(1, 2, 3, 4, 5, 6))
    expect(hooks.seen).toEqual({
      f0: [1, 2, 3, 4, 5, 6],
      A: [1, 3, 5],
      B: [2, 4, 6],
      C: [1, 3, 5, 2, 4, 6],
    })
    expect(numbers(result)).toEqual([1, 3, 5, 2, 4, 6])
    expect(program.async).toBe(false)
  })

  it('do not show a dropped event to anything behind', async () => {
    const hooks = new Recorder()
    const program = generateFilters([when('[odd]', [plugin('drop')]), plugin('C')], hooks, options, 'test')
    expect(numbers(await program.run(numbered(1, 2, 3)))).toEqual([2])
    expect(hooks.seen['C']).toEqual([2])
  })

  it('let added events follow their source into the next stage', async () => {
    const hooks = new Recorder()
    const program = generateFilters([plugin('twice'), plugin('C')], hooks, options, 'test')
    await program.run(numbered(1, 2))
    expect(hooks.seen).toEqual({ twice: [1, 2], C: [1, 1, 2, 2] })
  })

  it('lose only the event whose condition fails', async () => {
    const hooks = new Recorder()
    const program = generateFilters([when('[n] > 2', [plugin('A')], [plugin('B')])], hooks, options, 'test')
    expect(numbers(await program.run(numbered(1, 2, 3, 'x', 5, 1)))).toEqual([3, 5, 1, 2, 1])
    expect(hooks.failed).toEqual(['x'])
  })

  it('await asynchronous filters', async () => {
    const hooks = new Recorder()
    const program = generateFilters(
      [plugin('async1'), when('[odd]', [plugin('async2')])],
      hooks,
      options,
      'test',
    )
    expect(program.async).toBe(true)
    expect(numbers(await program.run(numbered(1, 2)))).toEqual([1, 2])
    expect(hooks.seen).toEqual({ async1: [1, 2], async2: [1] })
  })

  it('take flushed events along behind the filter that gave them, inside its branch', async () => {
    const hooks = new Recorder()
    const stages = [when('[odd]', [plugin('flusher'), plugin('A')], [plugin('B')]), plugin('C')]
    const flushed = await generateFilters(stages, hooks, options, 'test').flush([], true)
    expect(numbers(flushed)).toEqual(['flusher flushed'])
    expect(hooks.seen).toEqual({ A: ['flusher flushed'], C: ['flusher flushed'] })
  })
})

describe('outputs over a batch', () => {
  it('see what their conditions let through, each the whole batch', async () => {
    const hooks = new Recorder()
    const stages = [plugin('all'), when('[odd]', [plugin('odd')], [plugin('even')]), plugin('again')]
    await generateOutputs(stages, hooks, options, 'test').run(numbered(1, 2, 3))
    expect(hooks.seen).toEqual({ all: [1, 2, 3], odd: [1, 3], even: [2], again: [1, 2, 3] })
  })
})

describe('generated functions', () => {
  it('have the name and line of the plugin they call, for profiles', () => {
    const { source } = generateFilters([plugin('my-own')], new Recorder(), options, 'test:///filters.js')
    expect(source).toMatch(/^function filter0_my_own_line7\(b\) \{ return filter0\(b\); \}$/m)
    const outputs = generateOutputs([plugin('stdout')], new Recorder(), options, 'test:///outputs.js')
    expect(outputs.source).toContain('function output0_stdout_line7(b)')
  })
})
