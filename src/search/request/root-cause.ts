/** Which of a chain of errors clients are told of first, as the reference decides it. */
import { SearchError } from './search-error.ts'

/** Types that are not the reference's own exceptions: a cause of theirs is not looked into for root causes. */
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
  'date_time_parse_exception',
  'array_index_out_of_bounds_exception',
  'index_out_of_bounds_exception',
  'arithmetic_exception',
])

/** Errors of the body parser: only they are looked into for another of their kind. */
const parserTypes: ReadonlySet<string> = new Set([
  'x_content_parse_exception',
  'x_content_e_o_f_exception',
  'named_object_not_found_exception',
])

export function isForeign(type: string): boolean {
  return foreignTypes.has(type)
}

/** Whether clients are better told of the cause than of the error itself. */
function yieldsTo(error: SearchError, cause: SearchError): boolean {
  if (isForeign(error.type) || isForeign(cause.type)) return false
  if (isOfLucene(cause)) return false
  return parserTypes.has(error.type) || !parserTypes.has(cause.type)
}

/** Lucene's parse exception has the name of the reference's own, and is another one. */
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
