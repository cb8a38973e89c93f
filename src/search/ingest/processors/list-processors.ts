/** Processors of lists: split, split_to_fields, join, sort, foreach. */
import { illegalArgument } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { isObject, put } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { runProcessor } from '../chain.ts'
import { classOf, type IngestDocument, valueText } from '../ingest-document.ts'
import { compilePattern, splitText } from '../java-pattern.ts'
import type { ProcessorFactory } from '../processor.ts'

/** Undefined where there is none, and that is ignored. */
function textToSplit(document: IngestDocument, field: string, ignoreMissing: boolean): string | undefined {
  const text = document.get(field, 'text', ignoreMissing)
  if (text !== null) return text
  if (ignoreMissing) return undefined
  throw illegalArgument(`field [${field}] is null, cannot split.`)
}

const split: ProcessorFactory = (config, { tools }) => {
  const field = config.text('field')
  const ignoreMissing = config.flag('ignore_missing')
  const preserveTrailing = config.flag('preserve_trailing')
  const target = config.text('target_field', field)
  const separator = config.text('separator')
  return (document) => {
    const text = textToSplit(document, field, ignoreMissing)
    if (text === undefined) return true
    // An invalid pattern fails the document, not the pipeline.
    document.set(target, splitText(text, compilePattern(tools, separator), preserveTrailing ? -1 : 0))
    return true
  }
}

const splitToFields: ProcessorFactory = (config, { tools }) => {
  const field = config.text('field')
  const separator = config.text('separator')
  const targets = config.list('target_fields').map(valueText)
  const ignoreMissing = config.flag('ignore_missing')
  const preserveTrailing = config.flag('preserve_trailing')
  return (document) => {
    const text = textToSplit(document, field, ignoreMissing)
    if (text === undefined) return true
    const parts = splitText(text, compilePattern(tools, separator), preserveTrailing ? -1 : 0)
    for (const [at, part] of parts.slice(0, targets.length).entries()) document.set(targets[at]!, part)
    return true
  }
}

const join: ProcessorFactory = (config) => {
  const field = config.text('field')
  const separator = config.text('separator')
  const target = config.text('target_field', field)
  return (document) => {
    const list = document.get(field, 'list')
    if (list === null) throw illegalArgument(`field [${field}] is null, cannot join.`)
    const texts = list.map(valueText)
    document.budget.makes(texts.reduce((sum, text) => sum + text.length + separator.length, 0))
    document.set(target, texts.join(separator))
    return true
  }
}

/** Java's `compareTo` of values of one class. */
function compare(one: unknown, other: unknown): number {
  if (classOf(one) !== classOf(other) || isObject(one) !== isObject(other)) {
    const [from, to] = [classOf(other), classOf(one)]
    const reason = `class ${from} cannot be cast to class ${to} (${from} and ${to} are in module java.base of loader 'bootstrap')`
    throw new SearchError('class_cast_exception', reason, { status: 500 })
  }
  if (one instanceof JsonNumber || other instanceof JsonNumber) return Number(one) - Number(other)
  const [left, right] = [one as string, other as string]
  return left < right ? -1 : left > right ? 1 : 0
}

const sort: ProcessorFactory = (config) => {
  const field = config.text('field')
  const target = config.text('target_field', field)
  const order = config.text('order', 'asc')
  if (order !== 'asc' && order !== 'desc')
    throw config.error('order', `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`)
  return (document) => {
    const list = document.get(field, 'list')
    if (list === null) throw illegalArgument(`field [${field}] is null, cannot sort.`)
    document.set(target, list.toSorted(order === 'asc' ? compare : (one, other) => compare(other, one)))
    return true
  }
}

const foreach: ProcessorFactory = (config, context) => {
  const field = config.text('field')
  const ignoreMissing = config.flag('ignore_missing')
  const entries = Object.entries(config.map('processor'))
  if (entries.length !== 1) throw config.error('processor', 'Must specify exactly one processor type')
  const [type, options] = entries[0]!
  if (!isObject(options))
    throw new SearchError(
      'class_cast_exception',
      `class ${classOf(options)} cannot be cast to class java.util.Map (${classOf(options)} and java.util.Map are in module java.base of loader 'bootstrap')`,
      { status: 500 },
    )
  const inner = context.create(type, options)
  return (document) => {
    const list = document.get(field, 'list', ignoreMissing)
    if (list === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] is null, cannot loop over its elements.`)
    }
    const before = document.ingest['_value'] ?? null
    const changed: unknown[] = []
    for (const value of list) {
      put(document.ingest, '_value', value)
      try {
        if (!runProcessor(inner, document, context)) return false
        changed.push(document.ingest['_value'])
      } finally {
        put(document.ingest, '_value', before)
      }
    }
    document.set(field, changed)
    return true
  }
}

export const listProcessors: Readonly<Record<string, ProcessorFactory>> = {
  split,
  split_to_fields: splitToFields,
  join,
  sort,
  foreach,
}
