/** What a field is constructed from: its definition with defaults, and the settings of the index. */
import type { Analysis } from '../analysis/analysis.ts'
import type { CompileExpression } from '../analysis/component.ts'
import type { FieldDefinition } from './definition/definition.ts'
import type { Parameter } from './definition/parameter.ts'

/** Index settings that concern the mapping. */
export interface MappingSettings {
  readonly analysis: Analysis
  /** `index.mapping.total_fields.limit` */
  readonly totalFieldsLimit: number
  readonly depthLimit: number
  readonly nestedFieldsLimit: number
  readonly nestedObjectsLimit: number
  readonly fieldNameLengthLimit: number
  readonly ignoreMalformed: boolean
  readonly coerce: boolean
  /** Whether dynamic mapping gives dates a `print_format`, as OpenSearch does. */
  readonly printsDatesByFirstFormat: boolean
  /** The name of the index, when `index.routing_partition_size` spreads a routing over several shards. */
  readonly partitionedIndex?: string | undefined
  /** Compiles `match_pattern: regex`; without it such templates are refused. */
  readonly compile?: CompileExpression | undefined
}

export class FieldSetup {
  readonly path: string
  readonly definition: FieldDefinition
  readonly settings: MappingSettings
  readonly #parameters: ReadonlyMap<string, Parameter>

  constructor(
    path: string,
    definition: FieldDefinition,
    parameters: ReadonlyMap<string, Parameter>,
    settings: MappingSettings,
  ) {
    this.path = path
    this.definition = definition
    this.settings = settings
    this.#parameters = parameters
  }

  value(name: string): unknown {
    const { values } = this.definition
    return values.has(name) ? values.get(name) : this.#parameters.get(name)?.default
  }

  has(name: string): boolean {
    return this.definition.values.has(name)
  }

  /** `absent` is the value for types without such a parameter. */
  flag(name: string, absent: boolean): boolean {
    return (this.value(name) as boolean | undefined) ?? absent
  }

  number(name: string, absent: number): number {
    return (this.value(name) as number | undefined) ?? absent
  }

  text(name: string): string | undefined {
    return this.value(name) as string | undefined
  }

  /** Returns the field's setting, or else that of the index. */
  explicit(name: string, ofIndex: boolean): boolean {
    return (this.definition.values.get(name) as boolean | undefined) ?? ofIndex
  }
}
