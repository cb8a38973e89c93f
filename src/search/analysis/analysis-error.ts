/** What is wrong with an analysis setting; the HTTP side renders it as `illegal_argument_exception`. */
export class AnalysisError extends Error {
  override readonly name = 'AnalysisError'
}
