/** The query context of an index, made from its mapping and settings. */
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { sourcePaths } from '../../mapping/source-values.ts'
import type { StoredScripts } from '../../script/script.ts'
import { type DocumentPlace, defaultLimits, type QueryContext, type QueryLimits } from './binding.ts'

export interface IndexSettings {
  readonly index: string
  readonly indexUuid?: string
  readonly aliases?: readonly string[]
  /** Milliseconds. */
  readonly now: number
  readonly limits?: Partial<QueryLimits>
  readonly allowExpensive?: boolean
  readonly defaultFields?: readonly string[]
  readonly scripts?: StoredScripts
  readonly scoreFactor?: number
  readonly isOpenSearch?: boolean
  readonly isStrict?: boolean
  readonly lookUp?: (place: DocumentPlace) => unknown
}

export function mappingContext(mapping: Mapping, settings: IndexSettings): QueryContext {
  const { analysis } = mapping.settings
  return {
    index: settings.index,
    indexUuid: settings.indexUuid ?? '_na_',
    aliases: settings.aliases ?? [],
    now: settings.now,
    limits: { ...defaultLimits, ...settings.limits },
    allowExpensive: settings.allowExpensive ?? true,
    defaultFields: settings.defaultFields ?? ['*'],
    scripts: settings.scripts ?? {},
    scoreFactor: settings.scoreFactor,
    isOpenSearch: settings.isOpenSearch,
    isStrict: settings.isStrict,
    mapping,
    join: mapping.join,
    field: (path) => mapping.field(path),
    fieldsMatching: (pattern) => mapping.namesMatching(pattern),
    fieldsUnder(path) {
      if (mapping.object(path) === undefined) return []
      const names: string[] = []
      for (const name of mapping.fields.keys()) if (name.startsWith(`${path}.`)) names.push(name)
      return names
    },
    sourcePaths: (field) => sourcePaths(mapping, field),
    isNested: (path) => mapping.object(path)?.definition.isNested === true,
    isObject: (path) => mapping.object(path) !== undefined,
    analyzer(name): Analyzer | undefined {
      return analysis.hasAnalyzer(name) ? analysis.analyzer(name) : undefined
    },
    ...(settings.lookUp === undefined ? {} : { lookUp: settings.lookUp }),
  }
}
