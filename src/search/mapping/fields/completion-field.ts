/** The `completion` type: inputs with weights and contexts, found by prefix. */

import { illegalArgument, mapperParsing } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { isObject } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { MappedField } from '../mapped-field.ts'
import { completionKey, completionTerm } from '../values/completion-entry.ts'

const spec: FieldSpec = { index: 'docs', norms: false, ordinals: false }

interface ContextDefinition {
  readonly name: string
  readonly type: string
  readonly path: string | undefined
}

export class CompletionField extends MappedField {
  override readonly family = 'opaque'
  override readonly spec = spec
  override takesArrays = true
  override readonly analyzer
  override readonly searchAnalyzer
  readonly separates: boolean
  readonly contexts: readonly ContextDefinition[]
  readonly #maxInputLength: number

  constructor(setup: FieldSetup) {
    super(setup)
    const { analysis } = setup.settings
    const name = setup.has('analyzer') ? setup.text('analyzer')! : 'simple'
    this.analyzer = analysis.analyzer(name)
    this.searchAnalyzer = setup.has('search_analyzer')
      ? analysis.analyzer(setup.text('search_analyzer')!)
      : this.analyzer
    this.separates = setup.flag('preserve_separators', true)
    this.#maxInputLength = setup.number('max_input_length', 50)
    this.contexts = readContexts(setup.value('contexts'))
  }

  override add(value: unknown, into: DocumentFields): void {
    if (Array.isArray(value)) {
      for (const item of value) this.add(item, into)
      return
    }
    if (typeof value === 'string') this.#addInput(value, 1, this.#readContexts(undefined, into), into)
    else if (isObject(value)) this.#addObject(value, into)
    else if (value !== null && value !== undefined) {
      throw illegalArgument(`failed to parse [${this.name}]: expected text or object, but got a value`)
    }
  }

  #addObject(value: Readonly<Record<string, unknown>>, into: DocumentFields): void {
    for (const name of Object.keys(value)) {
      if (!['input', 'weight', 'contexts'].includes(name)) {
        throw illegalArgument(`unknown field name [${name}], must be one of [input, weight, contexts]`)
      }
    }
    const given = value['input'] ?? []
    const inputs: readonly unknown[] = Array.isArray(given) ? given : [given]
    const weight = readWeight(value['weight'])
    const contexts = this.#readContexts(value['contexts'], into)
    for (const input of inputs) {
      if (typeof input !== 'string') {
        throw illegalArgument(`input must be a string or a list of strings for [${this.name}]`)
      }
      this.#addInput(input, weight, contexts, into)
    }
  }

  /** Reads contexts from the value and from other fields of the document (`path`). */
  #readContexts(json: unknown, into: DocumentFields): Record<string, readonly string[]> {
    const found: Record<string, readonly string[]> = {}
    if (json !== undefined && json !== null) this.#readGiven(json, found)
    if (this.contexts.length === 0) return found
    for (const { name, path } of this.contexts) {
      if (path === undefined) continue
      const values = valuesUnder(documentOf(into), path.split('.'))
      if (values.length > 0) found[name] = [...(found[name] ?? []), ...values]
    }
    if (Object.keys(found).length === 0) {
      throw illegalArgument(`Contexts are mandatory in context enabled completion field [${this.name}]`)
    }
    return found
  }

  #readGiven(json: unknown, found: Record<string, readonly string[]>): void {
    if (this.contexts.length === 0) {
      throw illegalArgument('Contexts are not supported for field: [contexts]')
    }
    if (!isObject(json)) throw illegalArgument('contexts must be an object or an array , but was a value')
    for (const [name, value] of Object.entries(json)) {
      const known = this.contexts.some((one) => one.name === name)
      if (!known) throw illegalArgument(`Context [${name}] is not defined for field [${this.name}]`)
      found[name] = (Array.isArray(value) ? value : [value]).map(plainText)
    }
  }

  #addInput(
    given: string,
    weight: number,
    contexts: Readonly<Record<string, readonly string[]>>,
    into: DocumentFields,
  ): void {
    if (given.length === 0) throw illegalArgument('value must have a length > 0')
    if (/[\0\u001e\u001f]/.test(given)) {
      throw illegalArgument(`Illegal input [${given}] UTF-16 codepoint is a reserved character`)
    }
    const input = Array.from(given).slice(0, this.#maxInputLength).join('')
    const key = completionKey(input, { analyzer: this.analyzer, separates: this.separates })
    into.of(this.name, spec).addTerm(completionTerm({ key, input: given, weight, contexts }))
  }

  override fromSource(value: unknown): unknown {
    return value ?? undefined
  }
}

function documentOf({ reading }: DocumentFields): unknown {
  return reading.raw === undefined ? undefined : JSON.parse(Buffer.from(reading.raw).toString('utf8'))
}

function valuesUnder(json: unknown, path: readonly string[]): string[] {
  if (Array.isArray(json)) return json.flatMap((item) => valuesUnder(item, path))
  const [name, ...rest] = path
  if (name === undefined) return json === undefined || json === null ? [] : [plainText(json)]
  return isObject(json) && Object.hasOwn(json, name) ? valuesUnder(json[name], rest) : []
}

function readWeight(value: unknown): number {
  if (value === undefined || value === null) return 1
  const text = value instanceof JsonNumber ? value.text : plainText(value)
  const weight = Number(text)
  if (!/^-?\d+$/.test(text)) throw illegalArgument(`weight must be an integer, but was [${text}]`)
  if (weight < 0 || weight > 2_147_483_647) {
    throw illegalArgument(`weight must be in the interval [0..2147483647], but was [${text}]`)
  }
  return weight
}

function readContexts(json: unknown): ContextDefinition[] {
  if (json === undefined || json === null) return []
  const list: readonly unknown[] = Array.isArray(json) ? json : [json]
  return list.map((item) => {
    if (!isObject(item)) throw mapperParsing('[contexts] must be a list of objects')
    const { name, type = 'category', path } = item
    if (typeof name !== 'string') throw mapperParsing('Required [name] in [contexts]')
    if (type !== 'category') {
      throw mapperParsing(`contexts of type [${plainText(type)}] are not supported, only [category]`)
    }
    return { name, type, path: path === undefined ? undefined : plainText(path) }
  })
}
