/**
 * A real Ruby in WebAssembly, of the packages `@ruby/wasm-wasi` and `@ruby/3.4-wasm-wasi`, which are not installed
 * along with this program. There is one per thread, as there is one Ruby in Logstash; it sees no files, no network, no
 * JavaScript (`closed-door.ts`) and of the environment the time zone only.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Event } from '../../../../event/event.ts'
import { parseTimestamp } from '../../../../event/parse-timestamp.ts'
import { isFields } from '../../../../event/value.ts'
import type { PluginLogger } from '../../../../plugin/define.ts'
import { ClosedDoor, type ImportMaker } from './closed-door.ts'
import { answer, HostEvent } from './host-event.ts'
import { prelude } from './prelude.ts'
import { fromWire } from './wire.ts'

/** What is used of the package. */
interface RbValue {
  call(name: string, ...args: RbValue[]): RbValue
  toString(): string
}
interface RubyVm {
  eval(code: string): RbValue
  wrap(value: unknown): RbValue
}
interface WasiPackage {
  readonly RubyVM: { readonly prototype: ImportMaker }
}
interface WasiStarter {
  DefaultRubyVM(
    module: object,
    options: { consolePrint: boolean; env: Record<string, string> },
  ): Promise<{ vm: RubyVm }>
}

/** An exception of the code. */
export interface WasmException {
  readonly class: string
  readonly message: string
  readonly line: number
}

/** What is used of the global one, which the types of Node leave to browsers. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

const wasiPackage = '@ruby/wasm-wasi'
const rubyPackage = '@ruby/3.4-wasm-wasi'

let machine: Promise<RubyMachine> | undefined

/** The Ruby of this thread, started when the first filter asks for it. */
export function rubyMachine(): Promise<RubyMachine> {
  machine ??= start().catch((error: unknown) => {
    machine = undefined
    throw error
  })
  return machine
}

async function start(): Promise<RubyMachine> {
  const { RubyVM, DefaultRubyVM } = await loadWasi()
  const binary = await readFile(wasmFile())
  const host = new Host()
  const door = new ClosedDoor(
    (value) => value === host || value instanceof HostEvent,
    [...methodsOf(Host.prototype), ...methodsOf(HostEvent.prototype)],
  )
  door.guard(RubyVM.prototype)
  const { vm } = await DefaultRubyVM(await WebAssembly.compile(binary), {
    consolePrint: false,
    env: { TZ: process.env['TZ'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone },
  })
  vm.eval(prelude)
  const ruby = vm.eval('Millrace')
  ruby.call('host=', vm.wrap(host))
  door.close()
  return new RubyMachine(vm, ruby, host)
}

function methodsOf(prototype: object): unknown[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name]) => name !== 'constructor')
    .map(([, { value }]) => value as unknown)
    .filter((value) => typeof value === 'function')
}

async function loadWasi(): Promise<WasiPackage & WasiStarter> {
  try {
    const [{ RubyVM }, { DefaultRubyVM }] = await Promise.all([
      import(wasiPackage) as Promise<WasiPackage>,
      import(`${wasiPackage}/dist/browser`) as Promise<WasiStarter>,
    ])
    return { RubyVM, DefaultRubyVM }
  } catch (error) {
    throw missing(error)
  }
}

function wasmFile(): string {
  try {
    return createRequire(import.meta.url).resolve(`${rubyPackage}/dist/ruby+stdlib.wasm`)
  } catch (error) {
    throw missing(error)
  }
}

function missing(cause: unknown): Error {
  const names = `${wasiPackage} ${rubyPackage}`
  return new Error(
    `engine => "wasm" needs a real Ruby, of packages that are to be installed beside millrace: npm install ${names}. ` +
      `They could not be loaded: ${(cause as Error).message}`,
    { cause },
  )
}

/** What Ruby asks of us, besides events. */
class Host {
  readonly loggers: PluginLogger[] = []
  receiver: (event: Event) => void = () => undefined

  make(json: string): HostEvent {
    return HostEvent.make(json)
  }

  time(text: string): string {
    const time = parseTimestamp(text)
    return time === undefined ? `Ainvalid timestamp string format: ${text}` : answer(() => time)
  }

  give(given: unknown): void {
    if (given instanceof HostEvent) this.receiver(given.event)
  }

  log(number: number, level: string, message: string, details: string): void {
    const fields = fromWire(details)
    const logger = this.loggers[number]
    if (logger === undefined || !isLevel(level)) return
    logger[level](message, isFields(fields) ? fields : {})
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const

function isLevel(text: string): text is (typeof levels)[number] {
  return (levels as readonly string[]).includes(text)
}

export class RubyMachine {
  readonly #vm: RubyVm
  readonly #ruby: RbValue
  readonly #host: Host

  constructor(vm: RubyVm, ruby: RbValue, host: Host) {
    this.#vm = vm
    this.#ruby = ruby
    this.#host = host
  }

  /** A number for a further program, under which its messages are logged. */
  newProgram(logger: PluginLogger): number {
    return this.#host.loggers.push(logger) - 1
  }

  inline(number: number, init: string, code: string): WasmException | undefined {
    return this.#call('inline', number, init, code)
  }

  script(number: number, path: string, code: string, parameters: string): WasmException | undefined {
    return this.#call('script', number, path, code, parameters)
  }

  /** `give` gets the further events, in order. */
  runInline(number: number, event: Event, give: (event: Event) => void): WasmException | undefined {
    this.#host.receiver = give
    return this.#call('run_inline', number, HostEvent.of(event))
  }

  /** `give` gets all events that go on. */
  runScript(
    number: number,
    path: string,
    event: Event,
    give: (event: Event) => void,
  ): WasmException | undefined {
    this.#host.receiver = give
    return this.#call('run_script', number, path, HostEvent.of(event))
  }

  /** What a text evaluates to, as Ruby shows it; for comparisons. */
  evaluate(text: string): string {
    return this.#ruby.call('evaluate', this.#vm.wrap(text)).toString()
  }

  #call(name: string, number: number, ...args: unknown[]): WasmException | undefined {
    const values = [number, ...args].map((value) => this.#vm.wrap(value))
    try {
      const said = this.#ruby.call(name, ...values).toString()
      return said === '' ? undefined : (JSON.parse(said) as WasmException)
    } catch (error) {
      // What Ruby itself could not rescue, such as a stack that is too deep.
      return { class: 'SystemStackError', message: (error as Error).message, line: 0 }
    }
  }
}
