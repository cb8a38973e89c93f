/** Chooses the root cause of a chain of errors as Elasticsearch does. */
import { SearchError } from './search-error.ts'

/** Types that are not Elasticsearch's own exceptions: their causes are not considered as root causes. */
const foreignTypes: ReadonlySet<string> = new Set([
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
  'input_coercion_exception',
  'json_parse_exception',
  'json_e_o_f_exception',
  'null_pointer_exception',
  'runtime_exception',
  'unsupported_operation_exception',
  'class_cast_exception',
  'i_o_exception',
  'date_time_exception',
  'date_time_parse_exception',
  'zone_rules_exception',
  'pattern_parse',
  'pattern_syntax_exception',
  'string_index_out_of_bounds_exception',
  'array_index_out_of_bounds_exception',
  'index_out_of_bounds_exception',
  'arithmetic_exception',
  'query_validation_exception',
  'not_x_content_exception',
  'mustache_exception',
])

/** Types of body parser errors: only they are searched for another of their kind. */
const parserTypes: ReadonlySet<string> = new Set([
  'x_content_parse_exception',
  'x_content_e_o_f_exception',
  'named_object_not_found_exception',
])

export function isForeign(type: string): boolean {
  return foreignTypes.has(type)
}

/** Returns whether the cause should be reported instead of the error itself. */
function yieldsTo(error: SearchError, cause: SearchError): boolean {
  if (isForeign(error.type) || isForeign(cause.type)) return false
  if (isOfLucene(cause)) return false
  return parserTypes.has(error.type) || !parserTypes.has(cause.type)
}

/** Lucene's ParseException has the same type name as Elasticsearch's own. */
function isOfLucene({ type, reason }: SearchError): boolean {
  return type === 'parse_exception' && /^(?:Cannot parse '|Encountered |Lexical error)/.test(reason)
}

export function rootCauseOf(error: SearchError): SearchError {
  let root = error
  for (let depth = 0; depth < 100; depth++) {
    const { causedBy } = root
    if (!(causedBy instanceof SearchError) || !yieldsTo(root, causedBy)) break
    root = causedBy
  }
  return root
}
