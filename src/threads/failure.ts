/** Errors as data, so that they can cross threads and reach logs, the API and the terminal unchanged. */
import { type Diagnostic, renderDiagnostic } from '../lang/diagnostic.ts'
import type { SourcePart } from '../pipeline/source.ts'
import type { Failure } from './messages.ts'

export function failureOf(error: unknown): Failure {
  const { message, stack, name } = error instanceof Error ? error : new Error(String(error))
  return { message, type: typeNames[name] ?? name, ...(stack !== undefined && { stack }) }
}

const typeNames: Record<string, string> = {
  ConfigurationError: 'LogStash::ConfigurationError',
  SettingsError: 'LogStash::ConfigurationError',
}

/** What is wrong with a configuration: Logstash's sentence of the first problem, and all of them with frames. */
export function failureOfDiagnostics(
  diagnostics: readonly Diagnostic[],
  parts: readonly SourcePart[],
): Failure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const explanation = errors.map((diagnostic) => explain(diagnostic, parts)).join('\n\n')
  return { message: errors[0]?.message ?? '', type: 'LogStash::ConfigurationError', explanation }
}

export function explain(diagnostic: Diagnostic, parts: readonly SourcePart[]): string {
  const text = parts.find(({ id }) => id === diagnostic.file)?.text ?? ''
  return renderDiagnostic(diagnostic, text, diagnostic.file ?? 'config')
}
