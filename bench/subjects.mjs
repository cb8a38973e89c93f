// Who is measured: the limit program of each case, and Millrace. A subject is a name and a kind; the case knows what
// the kind means for it. The twin is the limit program under a second name: its ratio should be 1, and how far it is
// from 1 is the error of every other ratio in the same report.
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const defaultLauncher = join(import.meta.dirname, '..', 'bin', 'millrace.js')

export const limit = { name: 'limit', kind: 'limit' }
export const twin = { name: 'limit (twin)', kind: 'limit' }

export function millrace(launcher = defaultLauncher, name = 'millrace') {
  const path = resolve(launcher)
  const missing = existsSync(path) ? undefined : `not built: no ${relative(process.cwd(), path)}`
  return { name, kind: 'product', launcher: path, missing }
}

/**
 * The command line every case starts Millrace with; `more` are flags of the case. The search store is off, as no limit
 * program has one; cases that are about it, or about the node as it comes, switch it on.
 */
export function millraceCommand(subject, { config, data, apiPort, more = [] }) {
  return [
    process.execPath,
    subject.launcher,
    ...['-f', config],
    ...['--path.data', data],
    ...['--api.http.port', String(apiPort)],
    ...['-w', '1'],
    ...['--pipeline.ecs_compatibility', 'disabled'],
    ...['--log.level', 'error'],
    ...(more.includes('--search.enabled') ? [] : ['--search.enabled', 'false']),
    ...more,
  ]
}
