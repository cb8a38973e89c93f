/**
 * Settings from the environment, as the container image of Logstash takes them: `PIPELINE_WORKERS=4` is
 * `pipeline.workers: 4`. Only in our image, which says so with `MILLRACE_CONTAINER=true`: elsewhere a variable of that
 * name is somebody else's.
 */
import { settingNames } from '../settings/definitions.ts'

export function containerFlags(env: Readonly<Record<string, string | undefined>>): string[] {
  if (env['MILLRACE_CONTAINER'] !== 'true') return []
  return settingNames.flatMap((name) => {
    const value = env[variableOf(name)]
    return value === undefined ? [] : ['-S', `${name}=${value}`]
  })
}

/** Also what has a dot or a dash in its name. */
function variableOf(name: string): string {
  return name.replace(/[.-]/g, '_').toUpperCase()
}
