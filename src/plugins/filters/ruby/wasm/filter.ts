/**
 * The ruby filter with `engine => "wasm"`: the same two ways, inline code and script files, run by a real Ruby. It is
 * started, and code is compiled, in `register`; a construct of our own engine's is as good as any other here.
 */
import { readFile } from 'node:fs/promises'
import type { Event } from '../../../../event/event.ts'
import { type Fields, putField } from '../../../../event/value.ts'
import type { FilterInstance, HashValue, PluginLogger } from '../../../../plugin/define.ts'
import type { ExceptionOptions } from '../exception.ts'
import { type RubyMachine, rubyMachine, type WasmException } from './machine.ts'
import { toWire } from './wire.ts'

/** A program in the machine that all filters of a thread share. */
interface Program {
  readonly ruby: RubyMachine
  readonly number: number
}

async function newProgram(logger: PluginLogger): Promise<Program> {
  const ruby = await rubyMachine()
  return { ruby, number: ruby.newProgram(logger) }
}

/** `start` is called once, before the first event. */
function filterOf(
  start: () => Promise<Program>,
  filter: (program: Program, event: Event, emit: (event: Event) => void) => boolean,
): FilterInstance {
  let program: Program
  return {
    async register() {
      program = await start()
    },
    filter: (event, emit) => filter(program, event, emit),
  }
}

export function wasmInlineFilter(
  init: string | undefined,
  code: string,
  options: ExceptionOptions,
  logger: PluginLogger,
): FilterInstance {
  const start = async () => {
    const program = await newProgram(logger)
    refuse(program.ruby.inline(program.number, init ?? '', code))
    return program
  }
  return filterOf(start, ({ ruby, number }, event, emit) => {
    const exception = ruby.runInline(number, event, emit)
    if (exception === undefined) return true
    logger.error(`Ruby exception occurred: ${exception.message}`, detailsOf(exception, '(ruby filter code)'))
    tagException(event, exception, options)
    return false
  })
}

export function wasmScriptFilter(
  path: string,
  params: HashValue,
  options: ExceptionOptions,
  logger: PluginLogger,
): FilterInstance {
  const start = async () => {
    const parameters: Fields = {}
    for (const [name, value] of params) putField(parameters, name, value)
    const text = await readFile(path, 'utf8')
    const program = await newProgram(logger)
    refuse(program.ruby.script(program.number, path, text, toWire(parameters)))
    return program
  }
  return filterOf(start, ({ ruby, number }, event, emit) => {
    let goesOn = false
    const others: Event[] = []
    const exception = ruby.runScript(number, path, event, (given) => {
      if (given === event) goesOn = true
      else others.push(given)
    })
    if (exception !== undefined) {
      logger.error(`Could not process event: ${exception.message}`, {
        script_path: path,
        ...detailsOf(exception, path),
      })
      tagException(event, exception, options)
      return false
    }
    for (const other of others) emit(other)
    if (!goesOn) event.cancel()
    return goesOn
  })
}

function refuse(exception: WasmException | undefined): void {
  if (exception !== undefined) throw new Error(`${exception.class}: ${exception.message}`)
}

function detailsOf({ class: name, line }: WasmException, file: string): Record<string, unknown> {
  return { class: name, backtrace: line === 0 ? [] : [`${file}:${line}`] }
}

function tagException(event: Event, { message }: WasmException, options: ExceptionOptions): void {
  if (options.tag_with_exception_message && message !== '')
    event.tag(`${options.tag_on_exception}: ${message}`)
  event.tag(options.tag_on_exception)
}
