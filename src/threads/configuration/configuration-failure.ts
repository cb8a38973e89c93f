/** The problems of a configuration as data that can cross threads; they show no secrets. */
import { type Diagnostic, renderDiagnostic } from '../../lang/diagnostic.ts'
import { concealedData } from '../../log/hidden-texts.ts'
import type { SourcePart } from '../../pipeline/plan/source.ts'
import type { Failure } from '../messages.ts'

/** What is wrong with a configuration: Logstash's sentence of the first problem, and all of them with frames. */
export function failureOfDiagnostics(
  diagnostics: readonly Diagnostic[],
  parts: readonly SourcePart[],
): Failure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const explanation = errors.map((diagnostic) => explain(diagnostic, parts)).join('\n\n')
  return concealedData({
    message: errors[0]?.message ?? '',
    type: 'LogStash::ConfigurationError',
    explanation,
  })
}

export function explain(diagnostic: Diagnostic, parts: readonly SourcePart[]): string {
  const text = parts.find(({ id }) => id === diagnostic.file)?.text ?? ''
  return renderDiagnostic(diagnostic, text, diagnostic.file ?? 'config')
}
