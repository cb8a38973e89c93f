/** Whole texts as terms: `keyword`, `wildcard`, `constant_keyword`, and the leaves of `flattened` fields. */

import type { Analyzer } from '../../analysis/analyzer.ts'
import { asSearchError, illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { isObject } from '../../request/json-object.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { MappedField } from '../mapped-field.ts'

/** Lucene's limit for a term, in bytes of UTF-8. */
const maxTermLength = 32_766

function requireTermLength(term: string, field: string): void {
  if (term.length * 3 <= maxTermLength) return
  const bytes = Buffer.byteLength(term)
  if (bytes <= maxTermLength) return
  const prefix = [...Buffer.from(term.slice(0, 30)).subarray(0, 30)].map((byte) => (byte << 24) >> 24)
  throw illegalArgument(
    `Document contains at least one immense term in field="${field}" (whose UTF-8 encoding is longer than the ` +
      `max length ${maxTermLength}), all of which were skipped.  Please correct the analyzer to not produce such ` +
      `terms.  The prefix of the first immense term is: '[${prefix.join(', ')}]...', original message: bytes can ` +
      `be at most ${maxTermLength} in length; got ${bytes}`,
  )
}

export class KeywordField extends MappedField {
  override readonly family = 'keyword'
  override readonly spec: FieldSpec
  override readonly normalizer: Analyzer | undefined
  override readonly searchAnalyzer: Analyzer | undefined
  readonly normalizerName: string | undefined
  /** `ignore_above`: longer values are not indexed. */
  readonly ignoreAbove: number
  readonly hasNorms: boolean
  readonly indexOptions: string
  readonly similarity: string | undefined
  /** OpenSearch's `use_similarity`: terms score by idf. */
  readonly usesSimilarity: boolean
  readonly splitQueriesOnWhitespace: boolean

  constructor(setup: FieldSetup) {
    super(setup, true)
    this.normalizer = normalizerOf(setup)
    this.normalizerName = setup.text('normalizer')
    this.ignoreAbove = setup.number('ignore_above', 2_147_483_647)
    this.hasNorms = setup.flag('norms', false)
    this.indexOptions = setup.text('index_options') ?? 'docs'
    this.similarity = setup.text('similarity')
    this.usesSimilarity = setup.flag('use_similarity', false)
    this.splitQueriesOnWhitespace = setup.flag('split_queries_on_whitespace', false)
    this.searchAnalyzer = this.splitQueriesOnWhitespace
      ? setup.settings.analysis.analyzer('whitespace')
      : this.normalizer
    this.nullValue = setup.value('null_value')
    this.spec = {
      index: this.isIndexed ? (this.indexOptions === 'freqs' ? 'freqs' : 'docs') : null,
      norms: this.isIndexed && this.hasNorms,
      ordinals: this.hasDocValues,
    }
  }

  override add(value: unknown, into: DocumentFields): void {
    let text = typeof value === 'string' ? value : into.textOf(value, this.name)
    if (text.length > this.ignoreAbove) {
      into.ignore(this.name)
      return
    }
    if (this.normalizer !== undefined) text = this.normalizer.normalize(text)
    if (this.isWritten) {
      if (text.length > 10_000) requireTermLength(text, this.name)
      into.of(this.name, this.spec).addTerm(text)
    } else if (this.isStored) into.of(this.name, this.spec)
  }

  override toTerm(value: unknown): string {
    const text = javaText(value)
    return this.normalizer === undefined ? text : this.normalizer.normalize(text)
  }

  override fromSource(value: unknown): unknown {
    const given = value ?? this.nullValue
    if (given === undefined || given === null) return undefined
    const text = javaText(given)
    if (text.length > this.ignoreAbove) return undefined
    return this.normalizer === undefined ? text : this.normalizer.normalize(text)
  }
}

function normalizerOf(setup: FieldSetup): Analyzer | undefined {
  const name = setup.text('normalizer')
  if (name === undefined) return undefined
  try {
    return setup.settings.analysis.normalizer(name)
  } catch (error) {
    if (error instanceof Error && error.message === `normalizer [${name}] not found`) {
      const leaf = setup.path.slice(setup.path.lastIndexOf('.') + 1)
      throw mapperParsing(`normalizer [${name}] not found for field [${leaf}]`)
    }
    throw asSearchError(error)
  }
}

/** `constant_keyword`: one value for all documents, also for those without it. */
export class ConstantKeywordField extends KeywordField {
  /** Undefined until the first document sets it. */
  readonly constant: string | undefined

  constructor(setup: FieldSetup) {
    super(setup)
    this.constant = setup.text('value')
  }

  /** Only validates: the term is added to every document. */
  override add(value: unknown, into: DocumentFields): void {
    const text = typeof value === 'string' ? value : into.textOf(value, this.name)
    if (this.constant === undefined) into.reading.constants.set(this.name, text)
    if (this.constant === undefined || text === this.constant) return
    throw illegalArgument(
      `[constant_keyword] field [${this.name}] only accepts values that are equal to the value defined in the ` +
        `mappings [${this.constant}], but got [${text}]`,
    )
  }

  override fromSource(): unknown {
    return this.constant
  }
}

/**
 * `flattened`: all leaves are terms of the field itself, and also of a subfield with their path, which queries
 * address like any other field.
 */
export class FlattenedField extends KeywordField {
  readonly depthLimit: number

  constructor(setup: FieldSetup) {
    super(setup)
    this.depthLimit = setup.number('depth_limit', 20)
  }

  override add(value: unknown, into: DocumentFields): void {
    if (!isObject(value)) {
      throw illegalArgument(
        `Expected START_OBJECT but got ${typeof value === 'string' ? 'VALUE_STRING' : 'VALUE'}`,
      )
    }
    this.#addObject(value, this.name, 1, into)
  }

  #addObject(
    value: Readonly<Record<string, unknown>>,
    path: string,
    depth: number,
    into: DocumentFields,
  ): void {
    if (depth > this.depthLimit) {
      throw illegalArgument(
        `The provided [flattened] field [${this.name}] exceeds the maximum depth limit of [${this.depthLimit}].`,
      )
    }
    for (const [name, item] of Object.entries(value)) {
      if (name.includes('\0')) {
        throw illegalArgument(
          `Do not include the null character in field names for [flattened] field [${this.name}].`,
        )
      }
      this.#addValue(item, `${path}.${name}`, depth, into)
    }
  }

  #addValue(value: unknown, path: string, depth: number, into: DocumentFields): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#addValue(item, path, depth, into)
    } else if (isObject(value)) {
      this.#addObject(value, path, depth + 1, into)
    } else {
      const given = value ?? this.nullValue
      if (given === undefined || given === null) return
      const text = typeof given === 'string' ? given : into.textOf(given, path)
      if (text.length > this.ignoreAbove) return
      requireTermLength(text, this.name)
      into.of(this.name, this.spec).addTerm(text)
      into.of(path, this.spec).addTerm(text)
    }
  }

  override fromSource(value: unknown): unknown {
    return value ?? undefined
  }
}
