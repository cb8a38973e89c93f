/** Processors that set, copy, move and remove fields. */
import { illegalArgument } from '../../request/errors.ts'
import { own } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import { classOf, deepCopy, type IngestDocument, isMap, valueText } from '../ingest-document.ts'
import { compileTemplate, compileValue, type Rendered } from '../ingest-template.ts'
import type { ProcessorFactory } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

const set: ProcessorFactory = (config, { isOpenSearch }) => {
  const field = config.text('field')
  const from = isOpenSearch ? undefined : config.optionalText('copy_from')
  const mediaType = isOpenSearch ? undefined : config.optionalText('media_type')
  const value = from === undefined ? compileValue(config.any('value'), mediaType) : undefined
  const override = config.flag('override', true)
  const ignoreEmpty = config.flag('ignore_empty_value')
  const path = compileTemplate(field)
  return (document) => {
    const target = path(document)
    if (!override && document.has(target) && document.get(target, 'any') !== null) return true
    const next = from === undefined ? value!(document) : deepCopy(document.get(from, 'any'), document.budget)
    if (!ignoreEmpty || (next !== null && next !== '')) document.set(target, next)
    return true
  }
}

const append: ProcessorFactory = (config) => {
  const path = compileTemplate(config.text('field'))
  const value = compileValue(config.any('value'))
  const allowDuplicates = config.flag('allow_duplicates', true)
  return (document) => {
    document.append(path(document), value(document), allowDuplicates)
    return true
  }
}

/** Throws where there is no such field, unless that is ignored. */
function isMissing(document: IngestDocument, path: string, what: string, isIgnored: boolean): boolean {
  if (path !== '' && document.has(path, true)) return false
  if (isIgnored) return true
  throw illegalArgument(
    path === '' ? `${what} path cannot be null nor empty` : `${what} [${path}] doesn't exist`,
  )
}

/** Where a value comes from and goes to; `from` is the option with its field. */
function readMove(config: ProcessorConfig, from: string) {
  return {
    source: compileTemplate(config.text(from)),
    target: compileTemplate(config.text('target_field')),
    ignoreMissing: config.flag('ignore_missing'),
  }
}

const rename: ProcessorFactory = (config) => {
  const { source, target, ignoreMissing } = readMove(config, 'field')
  const override = config.flag('override_target')
  return (document) => {
    const from = source(document)
    if (isMissing(document, from, 'field', ignoreMissing)) return true
    const to = target(document)
    if (document.has(to, true) && !override) throw illegalArgument(`field [${to}] already exists`)
    const value = document.get(from, 'any')
    document.remove(from)
    try {
      document.set(to, value)
    } catch (error) {
      // The field comes back when the new name cannot be written.
      document.set(from, value)
      throw error
    }
    return true
  }
}

/** A text or a list of texts. */
function texts(config: ProcessorConfig, name: string): string[] | undefined {
  const value = config.take(name)
  if (value === undefined) return undefined
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    if (typeof one === 'string') return one
    const reason = `class ${classOf(one)} cannot be cast to class java.lang.String (${classOf(one)} and java.lang.String are in module java.base of loader 'bootstrap')`
    throw new SearchError('class_cast_exception', reason, { status: 500 })
  })
}

const fixedMetadata = new Set(['_index', '_version', '_version_type'])

function removeField(document: IngestDocument, path: string): void {
  if (fixedMetadata.has(path)) throw illegalArgument(`cannot remove metadata field [${path}]`)
  const versionType = document.has('_version_type') ? document.get('_version_type', 'text') : null
  if (path === '_id' && versionType !== null && versionType !== 'internal')
    throw illegalArgument(
      `cannot remove metadata field [_id] when specifying external version for the document, version: ${valueText(document.get('_version', 'any'))}, version_type: ${versionType}`,
    )
  document.remove(path)
}

const remove: ProcessorFactory = (config) => {
  const fields = texts(config, 'field')
  const kept = texts(config, 'exclude_field')
  if ((fields === undefined) === (kept === undefined))
    throw config.error('field', 'either field or exclude_field must be set')
  const paths = fields?.map((field) => compileTemplate(field))
  const keptNames = kept?.map((field) => compileTemplate(field))
  const ignoreMissing = config.flag('ignore_missing')
  return (document) => {
    for (const path of paths ?? []) removeOne(document, path, ignoreMissing)
    if (keptNames !== undefined) removeOthers(document, keptNames)
    return true
  }
}

function removeOne(document: IngestDocument, template: Rendered<string>, ignoreMissing: boolean): void {
  const path = template(document)
  if (path !== '' && document.has(path)) return removeField(document, path)
  if (ignoreMissing) return
  throw illegalArgument(path === '' ? 'field path cannot be null nor empty' : `field [${path}] doesn't exist`)
}

function removeOthers(document: IngestDocument, kept: readonly Rendered<string>[]): void {
  const names = new Set(kept.map((name) => name(document)).filter((name) => name !== ''))
  if (names.size === 0) return
  for (const name of document.fieldNames) if (!names.has(name)) document.remove(name)
}

const forbidden: readonly (readonly [string, string])[] = [
  ['#', "a '#'"],
  [':', "a ':'"],
]

function checkPatterns(config: ProcessorConfig, name: string, patterns: readonly string[]): void {
  const wrong = patterns.flatMap((pattern) => [
    ...forbidden
      .filter(([sign]) => pattern.includes(sign))
      .map(([, words]) => `${name} [${pattern}] must not contain ${words}`),
    ...(pattern.startsWith('_') ? [`${name} [${pattern}] must not start with '_'`] : []),
    ...(/[\\/?"<>| ,]/.test(pattern)
      ? [`${name} [${pattern}] must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`]
      : []),
  ])
  if (wrong.length === 0) return
  const numbered = wrong.map((reason, at) => `${at + 1}: ${reason};`).join('')
  throw config.error(name, `Validation Failed: ${numbered}`)
}

const removeByPattern: ProcessorFactory = (config) => {
  const removed = texts(config, 'field_pattern')
  const kept = texts(config, 'exclude_field_pattern')
  if ((removed === undefined) === (kept === undefined))
    throw config.error('field_pattern', 'either field_pattern or exclude_field_pattern must be set')
  const patterns = removed ?? kept ?? []
  checkPatterns(config, removed === undefined ? 'exclude_field_pattern' : 'field_pattern', patterns)
  return (document) => {
    if (patterns.length === 0) return true
    for (const name of document.fieldNames) {
      const isMatch = patterns.some((pattern) => simpleMatch(pattern, name))
      if (isMatch === (removed !== undefined)) document.remove(name)
    }
    return true
  }
}

const copy: ProcessorFactory = (config) => {
  const { source, target, ignoreMissing } = readMove(config, 'source_field')
  const removeSource = config.flag('remove_source')
  const override = config.flag('override_target')
  return (document) => {
    const from = source(document)
    if (isMissing(document, from, 'source field', ignoreMissing)) return true
    const to = target(document)
    if (to === '') throw illegalArgument('target field path cannot be null nor empty')
    if (from === to) throw illegalArgument('source field path and target field path cannot be same')
    if (document.has(to, true) && !override) throw illegalArgument(`target field [${to}] already exists`)
    document.set(to, deepCopy(document.get(from, 'any'), document.budget))
    if (removeSource) document.remove(from)
    return true
  }
}

const dotExpander: ProcessorFactory = (config) => {
  const field = config.text('field')
  const override = config.flag('override')
  if (!field.includes('.')) throw config.error('field', 'field does not contain a dot')
  if (field.startsWith('.') || field.endsWith('.'))
    throw config.error('field', "Field can't start or end with a dot")
  if (field.includes('..')) throw config.error('field', 'No space between dots')
  const path = config.optionalText('path')
  return (document) => {
    const whole = path === undefined ? field : `${path}.${field}`
    const map = path === undefined ? document.root : document.get(path, 'any')
    if (!isMap(map)) {
      const given = classOf(map)
      throw illegalArgument(`field [${path}] of type [${given}] cannot be cast to [java.util.Map]`)
    }
    if (!Object.hasOwn(map, field)) return true
    const value = own(map, field)
    if (document.has(whole)) {
      delete map[field]
      if (override) document.set(whole, value)
      else document.append(whole, value)
      return true
    }
    // The parents must be objects, otherwise the dotted name stays.
    const names = field.split('.')
    let level: unknown = map
    for (const name of names.slice(0, -1)) {
      const next: unknown = isMap(level) ? own(level, name) : undefined
      if (next !== undefined && next !== null && !isMap(next)) {
        const parent = names.slice(0, names.indexOf(name) + 1).join('.')
        throw illegalArgument(
          `cannot expend [${whole}], because [${path === undefined ? '' : `${path}.`}${parent}] is not an object field, but a value field`,
        )
      }
      level = next
    }
    delete map[field]
    document.set(whole, value)
    return true
  }
}

export const fieldProcessors: Readonly<Record<string, ProcessorFactory>> = {
  set,
  append,
  rename,
  remove,
  remove_by_pattern: removeByPattern,
  copy,
  dot_expander: dotExpander,
}
