/** Parses `script`, which filters by a script, and `script_score`, which replaces the scores of a query. */
import { illegalArgument } from '../../../request/errors.ts'
import { javaDouble } from '../../../request/java-text.ts'
import { failedField } from '../../../request/object-shape.ts'
import { documentScript } from '../../../script/documents/document-script.ts'
import { type ReadScript, type Script, scriptReader, scriptText } from '../../../script/script.ts'
import type { Binding } from '../../binding/binding.ts'
import { type FilteredFunction, FunctionScoreQuery } from '../../exec/compound/function-score-query.ts'
import { ScriptQuery } from '../../exec/compound/script-query.ts'
import type { ParseClause } from '../clause.ts'
import { Options } from '../options.ts'
import { checkScript } from '../shape-check.ts'

export const scriptClause: ParseClause = (body, parser, clause) => {
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) {
      const reason =
        '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.'
      throw parser.error(reason, body, name)
    }
    if (name === 'boost' || name === '_name') parser.check(name === 'boost' ? 'number' : 'text', body, name)
    else if (name !== 'script') throw parser.error(`[script] query does not support [${name}]`, body, name)
    else checkScript(value, parser.places)
  }
  const options = new Options(parser, clause, body, [], ['script'])
  if (!options.has('script')) throw options.missing('script must be provided with a [script] filter')
  const read = scriptReader(options.get('script'))
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      binding.requireCheap('[script] queries')
      const { context, nestedPath } = binding
      return new ScriptQuery(documentScript(read(context.scripts), context), nestedPath)
    },
  }
}

/** A score function from a script; `refuse` makes the error for an invalid score. */
export function scriptFunction(
  script: Script,
  { context }: Binding,
  refuse: (score: string, doc: number) => string,
): Pick<FilteredFunction, 'score' | 'isSlow' | 'scriptText'> {
  const compiled = documentScript(script, context, ['_score'])
  return {
    isSlow: compiled.isSlow,
    scriptText: scriptText(script),
    score(leaf) {
      const run = compiled.openNumber(leaf)
      const one = (doc: number, own: number) => {
        const score = run(doc, own)
        if (score >= 0) return score
        throw illegalArgument(refuse(javaDouble(score), doc))
      }
      // A score that is refused is refused when its document is asked.
      return run.all === undefined ? one : Object.assign(one, { all: run.all })
    },
  }
}

export const scriptScoreClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['min_score'], ['query', 'script'])
  for (const name of ['query', 'script']) if (!options.has(name)) throw illegalArgument(`Required [${name}]`)
  const query = parser.parse(body['query'], body, 'query')
  let read: ReadScript
  try {
    read = scriptReader(body['script'])
  } catch (error) {
    throw failedField(error, clause, 'script', parser.places.endOf(body['script']))
  }
  const minScore = options.float('min_score')
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      binding.requireCheap('[script score] queries')
      const script = scriptFunction(
        read(binding.context.scripts),
        binding,
        (score, doc) =>
          `script_score script returned an invalid score [${score}] for doc [${doc}]. Must be a non-negative score!`,
      )
      return new FunctionScoreQuery({
        query: query.bind(binding),
        queryName: query.name,
        functions: [{ ...script, filter: undefined, weight: undefined }],
        scoreMode: 'first',
        boostMode: 'replace',
        maxBoost: Number.MAX_VALUE,
        minScore,
        boostsResult: true,
        isScriptScore: true,
      })
    },
  }
}
