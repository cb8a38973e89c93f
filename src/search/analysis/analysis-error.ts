/** An invalid analysis setting; the HTTP layer renders it as `illegal_argument_exception`. */
export class AnalysisError extends Error {
  override readonly name = 'AnalysisError'
}
