/**
 * Field values of hits: `fields` from the source as the mapping reads it, `docvalue_fields` from doc values,
 * `stored_fields` for stored ones. Values are always lists, under the requested name.
 */

import type { MappedField, PrintValue } from '../../mapping/mapped-field.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { sourcePaths, valuesAt } from '../../mapping/source-values.ts'
import { illegalArgument } from '../../request/errors.ts'
import { isObject, type JsonObject } from '../../request/request-values.ts'
import { isPattern, simpleMatch } from '../../request/simple-match.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { Segment } from '../../segment/segment.ts'
import { columnValues } from '../../source/column-values.ts'
import { leafPaths } from '../../source/document-source.ts'
import type { FieldSelection } from '../request/search-request.ts'

/** Appends values under a name. */
export type AddValues = (name: string, values: readonly unknown[]) => void

interface ChosenField {
  readonly name: string
  readonly field: MappedField
  /** The source paths that the values come from. */
  readonly paths: readonly string[]
  /** The format of the request. */
  readonly given: string | undefined
  readonly format: string | undefined
}

/** Names that are matched and chosen in one step. */
const stepNames = 8 * 1024

/** Says after which pattern a step is long enough; each costs something even where it matches nothing. */
export class NamePace {
  #done = 0

  isOver(names: number): boolean {
    this.#done += names + patternCost
    if (this.#done < stepNames) return false
    this.#done = 0
    return true
  }
}

/** What matching a pattern costs, in names that it matches. */
const patternCost = 32

/** `fields` of a request, bound to a mapping. */
export class SourceFields {
  readonly #chosen: readonly ChosenField[]
  readonly #unmapped: readonly string[]
  readonly #mapping: Mapping

  private constructor(
    chosen: readonly ChosenField[],
    selections: readonly FieldSelection[],
    mapping: Mapping,
  ) {
    this.#chosen = chosen
    this.#unmapped = selections.filter(({ includeUnmapped }) => includeUnmapped).map(({ field }) => field)
    this.#mapping = mapping
  }

  static *steps(
    selections: readonly FieldSelection[],
    mapping: Mapping,
    index: string,
    isOpenSearch = false,
  ): Steps<SourceFields> {
    if (selections.length > 0 && !mapping.source.enabled) {
      throw illegalArgument(
        `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${index}]`,
      )
    }
    const chosen = new Map<string, ChosenField>()
    const pace = new NamePace()
    for (const { field: pattern, format } of selections) {
      const names = mapping.namesMatching(pattern)
      for (const name of names) {
        const known = chosen.get(name)
        if (known !== undefined && known.given === format) continue
        const field = mapping.field(name)!
        if (format !== undefined && field.family !== 'date') {
          throw illegalArgument(`Field [${name}] of type [${field.type}] doesn't support formats.`)
        }
        if (format !== undefined) field.printer(format)
        // OpenSearch does not show values that came by `copy_to`.
        const paths = known?.paths ?? sourcePaths(mapping, field, !isOpenSearch)
        const shownFormat = format ?? defaultFormat(field, isOpenSearch)
        chosen.set(name, { name, field, paths, given: format, format: shownFormat })
      }
      if (pace.isOver(names.length)) yield
    }
    return new SourceFields([...chosen.values()], selections, mapping)
  }

  get isEmpty(): boolean {
    return this.#chosen.length === 0 && this.#unmapped.length === 0
  }

  add(source: JsonObject, add: AddValues): void {
    for (const { name, field, paths, format } of this.#chosen) {
      const values: unknown[] = []
      for (const path of paths) for (const value of valuesAt(source, path)) read(value, field, format, values)
      if (values.length > 0) add(name, values)
    }
    if (this.#unmapped.length === 0) return
    for (const path of leafPaths(source)) {
      if (this.#mapping.field(path) !== undefined) continue
      if (!this.#unmapped.some((pattern) => simpleMatch(pattern, path))) continue
      const values = valuesAt(source, path).flat(20)
      if (values.length > 0) add(path, values)
    }
  }
}

/** OpenSearch prints nanoseconds only in a format that is given. */
function defaultFormat(field: MappedField, isOpenSearch: boolean): string | undefined {
  const isPlain = field.type === 'date_nanos' && !field.definition.values.has('format')
  return isOpenSearch && isPlain ? 'strict_date_optional_time' : undefined
}

/** Types whose values may be objects. */
const objectTypes = new Set(['flattened', 'join'])

function read(value: unknown, field: MappedField, format: string | undefined, values: unknown[]): void {
  if (Array.isArray(value) && !(field.takesArrays && typeof value[0] === 'number')) {
    for (const item of value) read(item, field, format, values)
    return
  }
  if (
    isObject(value) &&
    (field.family === 'text' || field.family === 'keyword') &&
    !objectTypes.has(field.type)
  )
    return
  const shown = field.fromSource(value, format)
  if (shown !== undefined && shown !== null) values.push(shown)
}

/** `docvalue_fields` of a request, bound to a mapping. */
export class ColumnFields {
  readonly #chosen: readonly {
    readonly name: string
    readonly field: MappedField
    readonly print: PrintValue
  }[]

  constructor(selections: readonly FieldSelection[], mapping: Mapping, isOpenSearch = false) {
    this.#chosen = selections.flatMap(({ field: pattern, format }) =>
      mapping
        .namesMatching(pattern)
        .map((name) => ({ name, field: mapping.field(name)! }))
        .filter(({ field }) => !isPattern(pattern) || field.isAggregatable)
        .map(({ name, field }) => {
          field.requireColumn()
          return { name, field, print: field.printer(format ?? defaultFormat(field, isOpenSearch)) }
        }),
    )
  }

  add(segment: Segment, doc: number, add: AddValues): void {
    for (const { name, field, print } of this.#chosen) {
      const values = columnValues(segment, field, doc)
      if (values.length > 0) add(name, values.map(print))
    }
  }
}
