/**
 * All analyzers of an index (Elasticsearch's AnalysisRegistry): the built-in ones and those of its `analysis`
 * settings, created on first use and cached. Error texts are those of Elasticsearch.
 */
import { isObject, type JsonObject } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { AnalysisError } from './analysis-error.ts'
import { type Analyzer, type ChainAnalyzer, chainAnalyzer } from './analyzer.ts'
import { builtInAnalyzers } from './built-in-analyzers.ts'
import { mappingFilter, patternReplaceFilter } from './char-filters/char-filters.ts'
import { htmlStrip } from './char-filters/html-strip.ts'
import type { CharFilter, CompileExpression, TokenFilter, Tokenizer } from './component.ts'
import { ComponentOptions } from './component-options.ts'
import { tokenFilterTypes } from './filters/token-filters.ts'
import { TokenBuffer } from './token-buffer.ts'
import { keywordTokenizer } from './tokenizers/char-tokenizers.ts'
import { type AnalysisContext, expressionFlags, tokenizerTypes } from './tokenizers/tokenizers.ts'

export interface AnalysisSettings {
  /** The `analysis` object of index settings: `analyzer`, `tokenizer`, `filter`, `char_filter`, `normalizer`. */
  readonly analysis?: unknown
  readonly maxNgramDiff?: number
  readonly maxShingleDiff?: number
  readonly compile?: CompileExpression
}

/** The name of a component, or its options inline as `_analyze` allows. */
export type ComponentReference = string | Readonly<Record<string, unknown>>

type Section = 'analyzer' | 'tokenizer' | 'filter' | 'char_filter' | 'normalizer'

/** Without a compiler, regular expressions are refused. */
const refuse: CompileExpression = (source) => {
  throw new AnalysisError(`pattern [${source}] cannot be compiled here`)
}

function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

type MakeCharFilter = (options: ComponentOptions, context: AnalysisContext) => CharFilter

const charFilterTypes: ReadonlyMap<string, MakeCharFilter> = new Map<string, MakeCharFilter>([
  ['html_strip', (options) => htmlStrip(options.list('escaped_tags') ?? [])],
  [
    'mapping',
    (options) => {
      const rules = options.lines('mappings')
      if (rules === undefined)
        throw new AnalysisError('mapping requires either `mappings` or `mappings_path` to be configured')
      return mappingFilter(rules)
    },
  ],
  [
    'pattern_replace',
    (options, { compile }) => {
      if (!options.has('pattern'))
        throw new AnalysisError(
          `pattern is missing for [${options.name}] char filter of type 'pattern_replace'`,
        )
      const expression = compile(options.text('pattern', ''), expressionFlags(options))
      return patternReplaceFilter(expression, options.text('replacement', ''))
    },
  ],
])

/** The components of an analyzer. */
export interface Components {
  readonly tokenizer: ComponentReference
  readonly filters: readonly ComponentReference[]
  readonly charFilters: readonly ComponentReference[]
}

export class Analysis {
  readonly #sections: unknown
  readonly #context: AnalysisContext
  readonly #analyzers = new Map<string, Analyzer>()
  readonly #normalizers = new Map<string, Analyzer>()
  readonly #settings: AnalysisSettings
  readonly #isOfRequest: boolean

  constructor(settings: AnalysisSettings = {}, isOfRequest = false) {
    this.#settings = settings
    this.#isOfRequest = isOfRequest
    this.#sections = settings.analysis
    this.#context = {
      compile: settings.compile ?? refuse,
      maxNgramDiff: settings.maxNgramDiff ?? 1,
      maxShingleDiff: settings.maxShingleDiff ?? 3,
    }
  }

  /**
   * For components that a request names beside an index: OpenSearch makes them with their own defaults there, and not
   * those that are predefined for analyzers.
   */
  ofRequest(): Analysis {
    return new Analysis(this.#settings, true)
  }

  /**
   * Creates everything the settings define, so that mistakes show when an index is created. OpenSearch tells all
   * analyzers that cannot be made (`collects`), others the first.
   */
  check(collects = false): void {
    for (const name of this.#names('tokenizer')) this.#tokenizer(name, '')
    for (const name of this.#names('char_filter')) this.#charFilter(name, '')
    for (const name of this.#names('filter')) this.#filter(name, '', (text) => text.split(' '))
    const failed = new Map<string, AnalysisError>()
    for (const name of this.#names('analyzer')) {
      try {
        this.analyzer(name)
      } catch (error) {
        if (!collects || !(error instanceof AnalysisError) || !isOfBuilding(error)) throw error
        failed.set(name, error)
      }
    }
    if (failed.size > 0) throw failedAnalyzers(failed)
    for (const name of this.#names('normalizer')) this.normalizer(name)
  }

  /** Returns an analyzer by name; `default` is the index's own, or standard. */
  analyzer(name: string): Analyzer {
    return getOrMake(this.#analyzers, name, () => this.#makeAnalyzer(name))
  }

  hasAnalyzer(name: string): boolean {
    return this.#defined('analyzer', name) !== undefined || builtInAnalyzers.has(name) || name === 'default'
  }

  /** Returns the normalizer of a keyword field. */
  normalizer(name: string): Analyzer {
    return getOrMake(this.#normalizers, name, () => this.#makeNormalizer(name))
  }

  /** Creates an analyzer of named components, for `_analyze`. */
  custom(
    tokenizer: ComponentReference,
    filters: readonly ComponentReference[] = [],
    charFilters: readonly ComponentReference[] = [],
  ): ChainAnalyzer {
    return this.#chain('__custom__', tokenizer, filters, charFilters)
  }

  /** Returns the components of a custom analyzer of the index; undefined for other types. */
  componentsOf(name: string): Components | undefined {
    const defined = this.#defined('analyzer', name)
    if (defined === undefined) return undefined
    const options = new ComponentOptions(name, defined)
    if (options.text('type', options.has('tokenizer') ? 'custom' : '') !== 'custom') return undefined
    return {
      tokenizer: options.text('tokenizer', ''),
      filters: options.list('filter') ?? [],
      charFilters: options.list('char_filter') ?? [],
    }
  }

  normalizerComponents(name: string): Components {
    const options = new ComponentOptions(name, this.#defined('normalizer', name) ?? { filter: ['lowercase'] })
    return {
      tokenizer: 'keyword',
      filters: options.list('filter') ?? [],
      charFilters: options.list('char_filter') ?? [],
    }
  }

  /** Creates a normalizer of named components. */
  customNormalizer(
    filters: readonly ComponentReference[],
    charFilters: readonly ComponentReference[],
  ): Analyzer {
    const owner = 'Custom normalizer'
    for (const filter of filters) {
      const made = this.#filter(filter, owner, (text) => [text])
      if (made.normalize !== undefined) continue
      const name = typeof filter === 'string' ? filter : `__anonymous__${String(own(filter, 'type'))}`
      throw new AnalysisError(`${owner} may not use filter [${name}]`)
    }
    return this.custom('keyword', filters, charFilters)
  }

  #names(section: Section): string[] {
    const all = own(this.#sections, section)
    return isObject(all) ? Object.keys(all) : []
  }

  #defined(section: Section, name: string): JsonObject | undefined {
    const found = own(own(this.#sections, section), name)
    return isObject(found) ? found : undefined
  }

  #makeAnalyzer(name: string): Analyzer {
    const defined = this.#defined('analyzer', name)
    if (defined === undefined) {
      const make = builtInAnalyzers.get(name === 'default' ? 'standard' : name)
      if (make === undefined) throw new AnalysisError(`failed to find global analyzer [${name}]`)
      return make(new ComponentOptions(name, {}), this.#context)
    }
    const options = new ComponentOptions(name, defined)
    const type = options.text('type', options.has('tokenizer') ? 'custom' : '')
    if (type === '')
      throw new AnalysisError(`analyzer [${name}] must specify either an analyzer type, or a tokenizer`)
    if (type !== 'custom') {
      const make = builtInAnalyzers.get(type)
      if (make === undefined) throw new AnalysisError(`Unknown analyzer type [${type}] for [${name}]`)
      return make(options, this.#context)
    }
    if (!options.has('tokenizer'))
      throw new AnalysisError(`Custom Analyzer [${name}] must be configured with a tokenizer`)
    return this.#chain(
      name,
      options.text('tokenizer', ''),
      options.list('filter') ?? [],
      options.list('char_filter') ?? [],
      options.integer('position_increment_gap', 100),
    )
  }

  #makeNormalizer(name: string): Analyzer {
    const defined = this.#defined('normalizer', name)
    if (defined === undefined) {
      if (name !== 'lowercase') throw new AnalysisError(`normalizer [${name}] not found`)
      return this.#chain(name, 'keyword', ['lowercase'], [])
    }
    const options = new ComponentOptions(name, defined)
    const type = options.text('type', 'custom')
    if (type !== 'custom') throw new AnalysisError(`Unknown normalizer type [${type}] for [${name}]`)
    if (options.has('tokenizer'))
      throw new AnalysisError(`Custom normalizer [${name}] cannot configure a tokenizer`)
    const owner = `Custom normalizer [${name}]`
    const filters = (options.list('filter') ?? []).map((filter) => {
      const made = this.#filter(filter, owner, (text) => [text])
      if (made.normalize === undefined) throw new AnalysisError(`${owner} may not use filter [${filter}]`)
      return made
    })
    const charFilters = (options.list('char_filter') ?? []).map((filter) => {
      const made = this.#charFilter(filter, owner)
      const type = new ComponentOptions(filter, this.#defined('char_filter', filter) ?? {}).text(
        'type',
        filter,
      )
      if (type === 'html_strip') throw new AnalysisError(`${owner} may not use char filter [${filter}]`)
      return made
    })
    return chainAnalyzer({ tokenizer: keywordTokenizer, filters, charFilters })
  }

  #chain(
    name: string,
    tokenizer: ComponentReference,
    filters: readonly ComponentReference[],
    charFilters: readonly ComponentReference[],
    positionGap?: number,
  ): ChainAnalyzer {
    const owner = `Custom Analyzer [${name}]`
    const cut = this.#tokenizer(tokenizer, owner)
    const changes = charFilters.map((filter) => this.#charFilter(filter, owner))
    const made: TokenFilter[] = []
    for (const [place, filter] of filters.entries()) {
      // Synonym rules are analysed by the components before the synonym filter.
      let before: Analyzer | undefined
      let out: TokenBuffer | undefined
      const preceding = (text: string): string[] => {
        out ??= new TokenBuffer()
        before ??= chainAnalyzer({ tokenizer: cut, charFilters: changes, filters: made.slice(0, place) })
        before.analyze(text, out)
        return out.terms.slice(0, out.length)
      }
      made.push(this.#filter(filter, owner, preceding))
    }
    return chainAnalyzer({ tokenizer: cut, charFilters: changes, filters: made, positionGap })
  }

  /** Returns the factory and options of a component, found among the index's own, then the built-in ones. */
  #resolve<T>(
    section: Section,
    reference: ComponentReference,
    types: ReadonlyMap<string, T>,
    owner: string,
  ): [make: T, options: ComponentOptions] {
    const inPlace = typeof reference !== 'string'
    const name = inPlace ? `__anonymous__${String(own(reference, 'type'))}` : reference
    const defined = inPlace ? reference : this.#defined(section, name)
    if (defined === undefined) {
      const make = types.get(name)
      if (make !== undefined) return [make, new ComponentOptions(name, {})]
      throw new AnalysisError(
        owner.startsWith('Custom Analyzer [__custom__]')
          ? `failed to find global ${section} under [${name}]`
          : `${owner} failed to find ${section} under name [${name}]`,
      )
    }
    const options = new ComponentOptions(name, defined)
    const type = options.text('type', '')
    if (type === '') throw new AnalysisError(`${section} [${name}] must have a type associated with it`)
    const make = types.get(type)
    if (make === undefined) throw new AnalysisError(`Unknown ${section} type [${type}] for [${name}]`)
    return [make, options]
  }

  #tokenizer(reference: ComponentReference, owner: string): Tokenizer {
    const [make, options] = this.#resolve('tokenizer', reference, tokenizerTypes, owner)
    return make(options, this.#context)
  }

  #charFilter(reference: ComponentReference, owner: string): CharFilter {
    const [make, options] = this.#resolve('char_filter', reference, charFilterTypes, owner)
    return make(options, this.#context)
  }

  #checkRequired(reference: ComponentReference): void {
    const wrong = requiredOptions.get(reference)
    if (wrong !== undefined && this.#defined('filter', String(reference)) === undefined)
      throw new AnalysisError(wrong)
  }

  #filter(reference: ComponentReference, owner: string, preceding: (text: string) => string[]): TokenFilter {
    // The predefined edge_ngram filter has max_gram 1; a configured one defaults to 2.
    if (this.#isOfRequest) this.#checkRequired(reference)
    else if (reference === 'edge_ngram' && this.#defined('filter', 'edge_ngram') === undefined)
      return this.#filter({ type: 'edge_ngram', min_gram: 1, max_gram: 1 }, owner, preceding)
    // Without words of its own the predefined common_grams changes nothing.
    if (
      reference === 'common_grams' &&
      !this.#isOfRequest &&
      this.#defined('filter', 'common_grams') === undefined
    )
      return { apply: () => undefined }
    const [make, options] = this.#resolve('filter', reference, tokenFilterTypes, owner)
    return make(options, this.#context, preceding, (name) => this.#filter(name, owner, preceding))
  }
}

/** Filters that need options, and what their absence is called. */
const requiredOptions: ReadonlyMap<ComponentReference, string> = new Map([
  ['elision', 'elision filter requires [articles] or [articles_path] setting'],
  ['truncate', 'length parameter must be provided'],
])

/** Returns an analyzer under an index's settings; keep an `Analysis` to ask more than once. */
export function analyzerFor(name: string, settings: AnalysisSettings = {}): Analyzer {
  return new Analysis(settings).analyzer(name)
}

/** False for types that are not known, which are found before analyzers are made. */
function isOfBuilding({ message }: AnalysisError): boolean {
  return !/^(?:Unknown analyzer type|analyzer \[)/.test(message)
}

function failedAnalyzers(failed: ReadonlyMap<string, AnalysisError>): SearchError {
  const type = 'illegal_argument_exception'
  const reason = `Failed to build analyzers: [${[...failed.keys()].join(', ')}]`
  const suppressed = [...failed].map(([name, { message }]) => ({
    type,
    reason: `[${name}] ${message}`,
    caused_by: { type, reason: message },
  }))
  return new SearchError(type, reason, { details: { root_cause: [{ type, reason }], suppressed } })
}

function getOrMake(made: Map<string, Analyzer>, name: string, make: () => Analyzer): Analyzer {
  let analyzer = made.get(name)
  if (analyzer === undefined) {
    analyzer = make()
    made.set(name, analyzer)
  }
  return analyzer
}
