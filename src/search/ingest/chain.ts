/**
 * Runs processors in a row. A failure is ignored, handed to the processors of `on_failure`, or ends the chain; a
 * tracker sees each step for a verbose simulation.
 */
import { put } from '../request/json-object.ts'
import { rethrowFault } from '../request/refusal.ts'
import { SearchError } from '../request/search-error.ts'
import { BudgetExceeded } from './document-budget.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { Chain, Condition, IngestContext, Pipeline, Processor } from './processor.ts'

/** The first processor that failed, with the error. */
export class ProcessorFailure extends Error {
  override readonly name = 'ProcessorFailure'
  readonly error: Error
  readonly type: string
  readonly tag: string | undefined
  /** The pipeline it is in, when that is not the outermost one. */
  readonly pipeline: string | undefined

  constructor(error: Error, { type, tag }: Processor, { running }: IngestDocument) {
    super(error.message)
    this.error = error
    this.type = type
    this.tag = tag
    this.pipeline = running.length > 1 ? running.at(-1) : undefined
  }
}

export interface Step {
  readonly processor: Processor
  readonly condition: { readonly text: string; readonly result: boolean } | undefined
  readonly outcome:
    | 'done'
    | 'skipped'
    | 'dropped'
    | 'called'
    | { readonly error: Error; readonly isIgnored: boolean }
}

type Track = (step: Step, document: IngestDocument) => void

/** What a run knows: where pipelines are found, and who watches. */
export interface Run {
  readonly context: Pick<IngestContext, 'pipeline'>
  readonly track?: Track | undefined
}

/** Returns false when the document is dropped. */
export function runPipeline(pipeline: Pipeline, document: IngestDocument, run: Run): boolean {
  const { running, ingest } = document
  if (running.includes(pipeline.id))
    throw new SearchError('illegal_state_exception', `Cycle detected for pipeline: ${pipeline.id}`, {
      status: 500,
    })
  running.push(pipeline.id)
  const before = ingest['pipeline']
  put(ingest, 'pipeline', pipeline.id)
  try {
    return runChain(pipeline.chain, document, run, undefined)
  } finally {
    running.pop()
    if (before === undefined) delete ingest['pipeline']
    else put(ingest, 'pipeline', before)
  }
}

function runChain(chain: Chain, document: IngestDocument, run: Run, outer: Condition | undefined): boolean {
  for (const processor of chain.processors) {
    try {
      if (!runOne(processor, document, run, chain.ignoreFailure, outer)) return false
    } catch (error) {
      if (endsAll(error)) throw error
      const failure = failureOf(error, processor, document)
      if (chain.ignoreFailure) continue
      if (chain.onFailure.length === 0) throw failure
      return runOnFailure(chain, document, failure, run)
    }
  }
  return true
}

/** Rethrows faults of the program: no pipeline handles them, or they would never be seen. */
function failureOf(error: unknown, processor: Processor, document: IngestDocument): ProcessorFailure {
  if (error instanceof ProcessorFailure) return error
  rethrowFault(error)
  return new ProcessorFailure(error, processor, document)
}

const failureNames = [
  'on_failure_message',
  'on_failure_processor_type',
  'on_failure_processor_tag',
  'on_failure_pipeline',
]

/** The rest of the chain does not run. */
function runOnFailure(chain: Chain, document: IngestDocument, failure: ProcessorFailure, run: Run): boolean {
  const { ingest } = document
  put(ingest, 'on_failure_message', rootMessage(failure.error))
  put(ingest, 'on_failure_processor_type', failure.type)
  put(ingest, 'on_failure_processor_tag', failure.tag ?? null)
  if (failure.pipeline !== undefined) put(ingest, 'on_failure_pipeline', failure.pipeline)
  try {
    for (const processor of chain.onFailure) {
      try {
        if (!runOne(processor, document, run, chain.ignoreFailure, undefined)) return false
      } catch (error) {
        if (endsAll(error)) throw error
        throw failureOf(error, processor, document)
      }
    }
    return true
  } finally {
    for (const name of failureNames) delete ingest[name]
  }
}

function rootMessage(error: Error): string {
  let root = error
  while (root.cause instanceof Error) root = root.cause
  return root.message
}

/** An error that ends a whole verbose simulation instead of one document. */
export class TrackingEnded extends Error {
  override readonly name = 'TrackingEnded'
  readonly error: Error

  constructor(error: Error) {
    super(error.message)
    this.error = error
  }
}

/** True for an error that no `ignore_failure` and no `on_failure` may take. */
function endsAll(error: unknown): boolean {
  return error instanceof TrackingEnded || error instanceof BudgetExceeded
}

/** For processors that run another one. */
export function runProcessor(
  processor: Processor,
  document: IngestDocument,
  context: Pick<IngestContext, 'pipeline'>,
): boolean {
  return runOne(processor, document, { context }, false, undefined)
}

function runOne(
  processor: Processor,
  document: IngestDocument,
  run: Run,
  isIgnored: boolean,
  outer: Condition | undefined,
): boolean {
  document.budget.ran()
  const { track } = run
  const { work } = processor
  const condition = processor.condition ?? (track === undefined ? undefined : outer)
  // While a verbose simulation tracks, the condition of a chain is asked by the processors inside of it.
  if (work.kind === 'chain' && track !== undefined) return runChain(work.chain, document, run, condition)
  if (condition !== undefined) {
    const result = held(condition, document, track)
    if (!result) {
      track?.({ processor, condition: { text: condition.text, result }, outcome: 'skipped' }, document)
      return true
    }
  }
  if (work.kind === 'chain') return runChain(work.chain, document, run, undefined)
  const shown = condition && { text: condition.text, result: true }
  if (work.kind === 'pipeline') return callPipeline(processor, document, run, shown, isIgnored)
  try {
    const isKept = work.run(document)
    track?.({ processor, condition: shown, outcome: isKept ? 'done' : 'dropped' }, document)
    return isKept
  } catch (error) {
    track?.({ processor, condition: shown, outcome: { error: error as Error, isIgnored } }, document)
    throw error
  }
}

function held(condition: Condition, document: IngestDocument, track: Track | undefined): boolean {
  try {
    return condition.holds(document)
  } catch (error) {
    throw track === undefined ? error : new TrackingEnded(error as Error)
  }
}

/** The error of pipelines that call each other for ever, found on a copy of the document. */
function cycleOf(pipeline: Pipeline, document: IngestDocument, { context }: Run): Error | undefined {
  try {
    runPipeline(pipeline, document.copy(), { context })
  } catch (error) {
    const inner = error instanceof ProcessorFailure ? error.error : error
    if (inner instanceof SearchError && inner.message.startsWith('Cycle detected')) return inner
  }
  return undefined
}

function callPipeline(
  processor: Processor,
  document: IngestDocument,
  run: Run,
  condition: Step['condition'],
  isIgnored: boolean,
): boolean {
  const { work } = processor
  if (work.kind !== 'pipeline') return true
  const name = work.name(document)
  const pipeline = run.context.pipeline(name)
  if (pipeline === undefined) {
    if (work.mayMiss) return true
    const reason = `Pipeline processor configured for non-existent pipeline [${name}]`
    if (run.track !== undefined)
      throw new TrackingEnded(new SearchError('illegal_argument_exception', reason))
    throw new SearchError('illegal_state_exception', reason, { status: 500 })
  }
  if (run.track !== undefined) {
    const cycle = cycleOf(pipeline, document, run)
    run.track(
      { processor, condition, outcome: cycle === undefined ? 'called' : { error: cycle, isIgnored } },
      document,
    )
    if (cycle !== undefined) throw cycle
  }
  return runPipeline(pipeline, document, run)
}
