/** The verdicts on many files in numbers: how many run, what keeps the others from it, which plugins are missing. */
import type { Finding, Form, Verdict } from './doctor-examine.ts'

export interface Reason {
  reason: string
  files: number
}

interface MissingPlugin {
  plugin: string
  files: number
  hint?: string
}

export interface Summary {
  files: number
  runnable: number
  percent: number
  forms: Partial<Record<Form, number>>
  /** Most frequent first; a file counts once for each of its reasons. */
  reasons: Reason[]
  missing_plugins: MissingPlugin[]
  /** What to know before switching, from files that run. */
  notes: Reason[]
}

const titles: Readonly<Record<string, string>> = {
  syntax: 'syntax error',
  unknown_plugin: 'plugin not available',
  unknown_option: 'unknown option',
  missing_option: 'required option missing',
  invalid_option: 'bad value',
  obsolete_option: 'obsolete option',
  duplicate_id: 'two plugins with one id',
  duplicate_key: 'key given twice',
  grok_pattern: 'grok pattern',
  ruby: 'Ruby code',
  deprecated: 'old option',
  variable: 'variable without value',
  missing_file: 'file not here',
  concern: 'to look at',
  will_not_start: 'will not start',
}

/** Kinds whose subject would differ from file to file. */
const counted: ReadonlySet<string> = new Set([
  'syntax',
  'variable',
  'missing_file',
  'duplicate_id',
  'concern',
])

function reasonOf({ code, subject, message }: Finding): string {
  const title = titles[code] ?? code.replaceAll('_', ' ')
  if (counted.has(code)) return title
  return `${title}: ${subject ?? message.split('\n', 1)[0]}`
}

export function summarise(verdicts: readonly Verdict[]): Summary {
  const forms: Partial<Record<Form, number>> = {}
  for (const { form } of verdicts) forms[form] = (forms[form] ?? 0) + 1
  const runnable = verdicts.filter(({ runs }) => runs).length
  const of = (severity: Finding['severity']) =>
    tally(
      verdicts.map(({ findings }) =>
        findings.filter((finding) => finding.severity === severity).map(reasonOf),
      ),
    )
  return {
    files: verdicts.length,
    runnable,
    percent: verdicts.length === 0 ? 100 : Math.floor((runnable / verdicts.length) * 1000) / 10,
    forms,
    reasons: of('error').map(([reason, files]) => ({ reason, files })),
    missing_plugins: missingPlugins(verdicts),
    notes: of('note').map(([reason, files]) => ({ reason, files })),
  }
}

function missingPlugins(verdicts: readonly Verdict[]): MissingPlugin[] {
  const hints = new Map<string, string | undefined>()
  const perFile = verdicts.map(({ findings }) =>
    findings.flatMap(({ code, subject, hint }) => {
      if (code !== 'unknown_plugin' || subject === undefined) return []
      hints.set(subject, hint)
      return [subject]
    }),
  )
  return tally(perFile).map(([plugin, files]) => {
    const hint = hints.get(plugin)
    return { plugin, files, ...(hint !== undefined && { hint }) }
  })
}

/** In how many lists each text stands, most first. */
function tally(lists: readonly string[][]): [string, number][] {
  const counts = new Map<string, number>()
  for (const list of lists) for (const text of new Set(list)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
