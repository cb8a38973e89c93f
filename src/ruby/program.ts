/**
 * A program: the texts of one filter (or script file) compiled together. Instance variables live as long as the
 * program; global and class variables and constants are shared by all programs of the thread, as in one Ruby.
 */
import './library/index.ts'
import './compile/index.ts'
import { analyse, analyseMethods, emptyFindings, type Findings } from './analysis.ts'
import { settle } from './compile/blocks.ts'
import { Activation, Frame, Scope } from './compile/scope.ts'
import { compile, type ProgramContext, Unit } from './compile/unit.ts'
import { asException, type RubyException } from './errors.ts'
import { loggerFor, type RubyLogger } from './library/logger.ts'
import { MainObject } from './main-object.ts'
import { RubySource } from './prism.ts'
import type { Proc } from './proc.ts'
import type { RubyValue } from './ruby-class.ts'
import { runtime, startClock } from './runtime.ts'

export type { Findings } from './analysis.ts'
export type { RubyException } from './errors.ts'
export { toEventValue, toRuby } from './event-values.ts'
export { RubyHash } from './hash.ts'
export { inspect as inspectValue } from './inspect.ts'
export type { RubyLogger } from './library/logger.ts'
export { Proc } from './proc.ts'
export type { RubyValue } from './ruby-class.ts'

export interface ProgramText {
  /** What messages call it: `ruby code`. */
  readonly label: string
  readonly text: string
  /** Names of the values that a run is given. */
  readonly parameters: readonly string[]
}

/** Runs a text with values for its parameters. */
export type RunText = (...values: RubyValue[]) => RubyValue

export interface CompiledProgram {
  readonly main: MainObject
  readonly runs: readonly RunText[]
  /** What each text does, in the order they were given. */
  readonly findings: readonly Findings[]
  /** Calls a method that the program has defined. */
  call(name: string, args: RubyValue[], block?: Proc | null): RubyValue
  defines(name: string): boolean
}

/** Why a program cannot run; one line for each problem. */
export class UnsupportedRuby extends Error {
  readonly problems: readonly string[]
  /** True when it is no Ruby at all. */
  readonly isSyntaxError: boolean

  constructor(problems: readonly string[], isSyntaxError: boolean) {
    super(problems.join('\n'))
    this.name = 'UnsupportedRuby'
    this.problems = problems
    this.isSyntaxError = isSyntaxError
  }
}

const shared = {
  globals: new Map<string, RubyValue>(),
  classVariables: new Map<string, RubyValue>(),
  constants: new Map<string, RubyValue>(),
}

export interface ProgramOptions {
  /** Class of `self`, for messages. */
  readonly className: string
  readonly logger?: RubyLogger
  /** Methods that the host gives the program. */
  readonly methods?: readonly HostMethod[]
}

export interface HostMethod {
  readonly name: string
  readonly call: (args: RubyValue[], block: Proc | null) => RubyValue
}

export function compileProgram(texts: readonly ProgramText[], options: ProgramOptions): CompiledProgram {
  const sources = texts.map(({ text, parameters }) => new RubySource(text, parameters))
  const syntax = sources.flatMap(({ problems }, i) =>
    problems.map(({ line, message }) => `${texts[i]!.label} line ${line}: ${message}`),
  )
  if (syntax.length > 0) throw new UnsupportedRuby([...new Set(syntax)], true)
  const findings = sources.map(({ tree }) => {
    const found = emptyFindings()
    analyse(tree, found)
    return found
  })
  const main = new MainObject(options.className)
  if (options.logger !== undefined) loggerFor(main, options.logger)
  for (const { name, call } of options.methods ?? []) {
    main.rubyClass.add({
      name,
      min: 0,
      max: Number.POSITIVE_INFINITY,
      call: (_, args, block) => call(args, block),
    })
  }
  const context: ProgramContext = {
    main,
    ...shared,
    methods: new Set(findings.flatMap(({ methods }) => [...methods])),
    constantNames: new Set(findings.flatMap(({ constants }) => [...constants])),
    changesStrings: findings.some(({ changesStrings }) => changesStrings),
  }
  if (findings.some(({ readsMatch }) => readsMatch)) runtime.readsMatch = true
  const units = sources.map((source, i) => new Unit(source, context, `(${texts[i]!.label})`))
  const runs = units.map((unit, i) => compileText(unit, texts[i]!))
  const problems = units.flatMap((unit, i) =>
    unit.problems.map(({ line, message }) => `${texts[i]!.label} line ${line}: ${message}`),
  )
  if (problems.length > 0) throw new UnsupportedRuby([...new Set(problems)], false)
  return {
    main,
    runs,
    findings,
    defines: (name) => main.rubyClass.methods.has(name),
    call: (name, args, block = null) => {
      startClock()
      return main.rubyClass.find(name)!.call(main, args, block)
    },
  }
}

function compileText(unit: Unit, { parameters }: ProgramText): RunText {
  const { tree } = unit.source
  // The text runs as the body of a lambda: `return` and `next` end it.
  const scope = new Scope('program', unit, null, [...parameters, ...tree.locals])
  const body = settle(compile(tree, scope, true), scope)
  return (...values) => {
    startClock()
    const frame = new Frame(scope.size, null, new Activation(null))
    for (let i = 0; i < values.length; i++) frame.vars[i] = values[i]!
    return body(frame)
  }
}

/** What a text does, without compiling it; undefined when it is no Ruby. */
export function findingsOf({ text, parameters }: ProgramText): Findings | undefined {
  const source = new RubySource(text, parameters)
  if (source.problems.length > 0) return undefined
  const found = emptyFindings()
  analyse(source.tree, found)
  return found
}

/** Finds what is wrong with the methods a text defines, of which `counts` tells whether they matter. */
export function findingsOfMethods(text: string, counts: (name: string) => boolean): Findings | undefined {
  const source = new RubySource(text, [])
  if (source.problems.length > 0) return undefined
  const found = emptyFindings()
  analyseMethods(source.tree, found, counts)
  return found
}

/** The Ruby exception an error of a run stands for; undefined for errors of ours. */
export function exceptionOf(error: unknown): RubyException | undefined {
  return asException(error)
}

/** Milliseconds that one run may take. */
export function limitRuns(milliseconds: number): void {
  runtime.budget = milliseconds
}
