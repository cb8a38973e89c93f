/**
 * What happens to an event whose Ruby code failed: a line in the log and tags. Errors that are no exceptions of
 * the code (the time ran out) end the code the same way.
 */
import type { Event } from '../../../event/event.ts'
import { exceptionOf } from '../../../ruby/program.ts'

export interface ExceptionOptions {
  readonly tag_on_exception: string
  readonly tag_with_exception_message: boolean
}

export function messageOf(error: unknown): string {
  return exceptionOf(error)?.message ?? (error instanceof Error ? error.message : String(error))
}

function classNameOf(error: unknown): string {
  return exceptionOf(error)?.rubyClass.name ?? 'RuntimeError'
}

/** The class and the line, as the log shows them. */
export function detailsOf(error: unknown, file: string): Record<string, unknown> {
  const line = exceptionOf(error)?.line ?? 0
  return { class: classNameOf(error), backtrace: line === 0 ? [] : [`${file}:${line}`] }
}

export function tagException(event: Event, error: unknown, options: ExceptionOptions): void {
  const message = messageOf(error)
  if (options.tag_with_exception_message && message !== '')
    event.tag(`${options.tag_on_exception}: ${message}`)
  event.tag(options.tag_on_exception)
}
