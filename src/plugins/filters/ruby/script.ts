/**
 * `path`: a script file with `filter(event)`, which returns the events that go on, optionally `register(params)`,
 * and tests that are run before the script is used:
 *   test "name" do
 *     parameters { { "a" => 1 } }
 *     in_event { { "message" => "x" } }
 *     expect("what") { |events| events.size == 1 }
 *   end
 */
import { readFileSync } from 'node:fs'
import { Event } from '../../../event/event.ts'
import { type Fields, isFields, type Value } from '../../../event/value.ts'
import type { FilterInstance, HashValue, PluginLogger } from '../../../plugin/define.ts'
import {
  type CompiledProgram,
  compileProgram,
  type Findings,
  findingsOfMethods,
  type HostMethod,
  type Proc,
  RubyHash,
  type RubyValue,
  toEventValue,
  toRuby,
} from '../../../ruby/program.ts'
import { detailsOf, type ExceptionOptions, messageOf, tagException } from './exception.ts'

const className = 'LogStash::Filters::Ruby::Script::Context'

interface ScriptTest {
  readonly name: string
  parameters: RubyValue
  readonly inputs: RubyValue[]
  readonly expectations: { readonly what: string; readonly check: Proc }[]
}

interface LoadedScript {
  readonly program: CompiledProgram
  readonly tests: readonly ScriptTest[]
}

/** Compiles the text and runs it once, which defines its methods and collects its tests. */
function load(path: string, text: string, logger: PluginLogger): LoadedScript {
  const tests: ScriptTest[] = []
  const current = (): ScriptTest => {
    const test = tests[tests.length - 1]
    if (test === undefined) throw new Error('only a test can have parameters, events and expectations')
    return test
  }
  const methods: HostMethod[] = [
    {
      name: 'test',
      call: ([name = null], block) => {
        tests.push({ name: String(toEventValue(name)), parameters: null, inputs: [], expectations: [] })
        block?.all()
        return null
      },
    },
    {
      name: 'parameters',
      call: (_, block) => {
        current().parameters = block?.all() ?? null
        return null
      },
    },
    {
      name: 'in_event',
      call: (_, block) => {
        const given = block?.all() ?? null
        current().inputs.push(...(Array.isArray(given) ? given : [given]))
        return null
      },
    },
    {
      name: 'expect',
      call: ([what = null], block) => {
        if (block !== null) current().expectations.push({ what: String(toEventValue(what)), check: block })
        return null
      },
    },
  ]
  const program = compileProgram([{ label: path, text, parameters: [] }], { className, logger, methods })
  program.runs[0]!()
  return { program, tests }
}

function register({ program }: LoadedScript, parameters: RubyValue): void {
  if (program.defines('register')) program.call('register', [parameters])
}

function execute({ program }: LoadedScript, event: Event): Event[] {
  const result = program.call('filter', [event])
  if (!Array.isArray(result)) {
    throw new Error("Custom script did not return an array from 'filter'. Only arrays may be returned!")
  }
  return result.map((item) => {
    if (item instanceof Event) return item
    throw new Error("Script returned an array from 'filter' that holds something else than events.")
  })
}

function parametersOf(params: HashValue): RubyValue {
  return RubyHash.from(Array.from(params, ([name, value]) => [name, toRuby(value)]))
}

interface Outcome {
  passed: number
  failed: number
  errored: number
}

/** Each test has a script of its own, so that one cannot see what another one left. */
function runTests(path: string, text: string, tests: readonly ScriptTest[], logger: PluginLogger): void {
  const results: Outcome = { passed: 0, failed: 0, errored: 0 }
  tests.forEach((test, index) => {
    const own = load(path, text, logger)
    const { expectations, inputs, parameters } = own.tests[index] ?? test
    try {
      register(own, parameters ?? new RubyHash())
      const events = inputs.flatMap((fields) => execute(own, eventOf(toEventValue(fields))))
      for (const { what, check } of expectations) {
        const answer = check.one(events)
        if (answer !== null && answer !== false) results.passed++
        else {
          results.failed++
          logger.error(`***TEST FAILURE FOR: '${test.name} expect ${what}'***`, { script_path: path })
        }
      }
    } catch (error) {
      results.errored++
      logger.error(`***TEST RAISED ERROR: '${test.name}'***`, {
        ...detailsOf(error, path),
        exception: messageOf(error),
      })
    }
  })
  if (results.failed + results.errored > 0) {
    throw new Error(
      `Script '${path}' had ${results.failed + results.errored} failing tests! Check the error log for details.`,
    )
  }
  logger.info('Test run complete', { script_path: path, results: { ...results } })
}

function eventOf(fields: Value): Event {
  return Event.from(isFields(fields) ? fields : ({} satisfies Fields))
}

/** What the methods of a script do, but for `register`, which runs once; undefined when it cannot be read. */
export function scriptFindings(path: string): Findings | undefined {
  try {
    return findingsOfMethods(readFileSync(path, 'utf8'), (name) => name !== 'register')
  } catch {
    return undefined
  }
}

export function scriptFilter(
  path: string,
  params: HashValue,
  options: ExceptionOptions,
  logger: PluginLogger,
): FilterInstance {
  const text = readFileSync(path, 'utf8')
  const script = load(path, text, logger)
  if (!script.program.defines('filter')) throw new Error(`Script '${path}' does not define a filter method!`)
  if (script.tests.length > 0) runTests(path, text, script.tests, logger)
  return {
    register: () => register(script, parametersOf(params)),
    filter: (event, emit) => {
      try {
        const events = execute(script, event)
        for (const other of events) if (other !== event) emit(other)
        if (events.includes(event)) return true
        event.cancel()
      } catch (error) {
        logger.error(`Could not process event: ${messageOf(error)}`, {
          script_path: path,
          ...detailsOf(error, path),
        })
        tagException(event, error, options)
      }
      return false
    },
  }
}
