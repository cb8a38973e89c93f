/** The findings of the doctor as text: a line per file, what was found below it, and the sum at the end. */
import type { Finding, Verdict } from './doctor-examine.ts'
import type { SkippedFile } from './doctor-files.ts'
import type { Reason, Summary } from './doctor-summary.ts'

const maxReasons = 20

export function verdictText({ file, runs, needs, form, sections, findings }: Verdict): string {
  const kind = form === 'part' ? `part of a pipeline: ${sections.join(', ')}` : form
  const head = `${runs ? 'runs        ' : 'does not run'}  ${file} (${kind})${needs === undefined ? '' : `, with ${needs}`}`
  return `${[head, ...findings.map(findingText)].join('\n')}\n`
}

function findingText({ severity, line, column, message, hint }: Finding): string {
  const mark = severity === 'error' ? 'error' : 'note '
  const text = `  ${mark} ${line}:${column}  ${indented(message)}`
  return hint === undefined ? text : `${text}\n         hint: ${indented(hint)}`
}

/** Messages of several lines keep their shape. */
function indented(message: string): string {
  return message.replace(/\n+/g, '\n         ').trimEnd()
}

export function skippedText(skipped: readonly SkippedFile[]): string {
  return skipped.map(({ file, reason }) => `left out      ${file}: ${reason}\n`).join('')
}

export function summaryText(summary: Summary): string {
  const { files, runnable, percent, reasons, missing_plugins, notes } = summary
  const lines = [`${runnable} of ${files} files run (${percent} %)`]
  lines.push(...table('Why files do not run, by number of files:', reasons))
  const plugins = missing_plugins.map(({ plugin, files: count, hint }) => ({
    reason: hint === undefined ? plugin : `${plugin}: ${hint}`,
    files: count,
  }))
  lines.push(...table('Plugins that are missing, by number of files:', plugins))
  lines.push(...table('To know before switching, by number of files:', notes))
  return `${lines.join('\n')}\n`
}

function table(title: string, reasons: readonly Reason[]): string[] {
  if (reasons.length === 0) return []
  const rows = reasons
    .slice(0, maxReasons)
    .map(({ reason, files }) => `  ${String(files).padStart(5)}  ${reason}`)
  if (reasons.length > maxReasons) rows.push(`         and ${reasons.length - maxReasons} more`)
  return ['', title, ...rows]
}
