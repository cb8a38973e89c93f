/** What a processor is, what it is made of, and what it needs from outside of the engine. */
import type { CompileExpression } from '../analysis/component.ts'
import { illegalArgument } from '../request/errors.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { StoredScripts } from '../script/script.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** False when the document is dropped. */
export type Process = (document: IngestDocument) => boolean

/** A field that a grok expression captured. */
type GrokCapture = readonly [field: string, value: unknown]

/** How a capture that is a decimal number comes, so that it is written with a point. */
export interface Decimal {
  readonly decimal: number
}

/** Compiles grok expressions; the first that matches gives the captures and its number. */
type CompileGrok = (
  expressions: readonly string[],
  definitions: Readonly<Record<string, string>>,
) => (text: string, allMatches: boolean) => { captures: readonly GrokCapture[]; number: number } | undefined

/** Parts of a version that a user agent names, the most important first. */
interface VersionedName {
  readonly name: string | undefined
  readonly version: readonly string[]
}

export interface UserAgentFacts {
  readonly agent: VersionedName
  readonly system: VersionedName
  readonly device: string | undefined
}

/** Injected, because patterns of users run behind a guard that this floor does not know. */
export interface IngestTools {
  readonly compile: CompileExpression
  readonly compileGrok: CompileGrok
  /** Patterns of the library by name. */
  readonly grokPatterns: () => Readonly<Record<string, string>>
  readonly userAgent: (text: string) => UserAgentFacts
}

function missingTool(): never {
  throw illegalArgument('this store was opened without the tools of ingest processors')
}

export const noIngestTools: IngestTools = {
  compile: missingTool,
  compileGrok: missingTool,
  grokPatterns: () => ({}),
  userAgent: missingTool,
}

/** A stored pipeline, ready to run. */
export interface Pipeline {
  readonly id: string
  readonly chain: Chain
}

/** Processors in a row with what happens when one fails. */
export interface Chain {
  readonly ignoreFailure: boolean
  readonly processors: readonly Processor[]
  readonly onFailure: readonly Processor[]
}

/** A processor of a pipeline: one that works, one that calls another pipeline, or a chain with its own failure handling. */
export interface Processor {
  readonly type: string
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly condition?: Condition
  readonly work:
    | { readonly kind: 'process'; readonly run: Process }
    | {
        readonly kind: 'pipeline'
        readonly name: (document: IngestDocument) => string
        readonly mayMiss: boolean
      }
    | { readonly kind: 'chain'; readonly chain: Chain }
}

export interface Condition {
  readonly text: string
  holds(document: IngestDocument): boolean
}

/** What factories know while they create processors. */
export interface IngestContext {
  readonly tools: IngestTools
  readonly scripts: () => StoredScripts
  /** Elasticsearch's processors have some properties that OpenSearch's have not. */
  readonly isOpenSearch: boolean
  readonly now: () => number
  pipeline(id: string): Pipeline | undefined
  create(type: string, options: JsonObject): Processor
}

export type ProcessorFactory = (
  config: ProcessorConfig,
  context: IngestContext,
) => Process | Processor['work']
