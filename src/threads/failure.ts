/** Errors as data, so that they can cross threads and reach logs, the API and the terminal; they show no secrets. */
import { concealedData } from '../log/hidden-texts.ts'
import type { Failure } from './messages.ts'

export function failureOf(error: unknown): Failure {
  const { message, stack, name } = error instanceof Error ? error : new Error(String(error))
  return concealedData({ message, type: typeNames[name] ?? name, ...(stack !== undefined && { stack }) })
}

const typeNames: Record<string, string> = {
  ConfigurationError: 'LogStash::ConfigurationError',
  SettingsError: 'LogStash::ConfigurationError',
}
