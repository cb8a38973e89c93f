/** The configuration a command is given, with `-f` or `-e`, read with the settings it will run with. */
import { setLevel } from '../../log/logger.ts'
import { loadConfigParts } from '../../settings/config-sources.ts'
import { SettingsError } from '../../settings/errors.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Configuration } from '../../threads/configuration/inspection-job.ts'
import { home } from '../home.ts'

interface GivenConfiguration extends Configuration {
  readonly read: Settings
}

/** `flags` are flags of settings. */
export async function readConfiguration(
  path: string | undefined,
  text: string | undefined,
  flags: readonly string[] = [],
): Promise<GivenConfiguration> {
  const source = path === undefined ? ['-e', text ?? ''] : ['-f', path]
  const read = await readSettings({
    argv: [...source, ...flags, '--log.level', 'error'],
    env: process.env,
    home,
  })
  setLevel('logstash.config.source.local.configpathloader', 'ERROR')
  const parts =
    path === undefined
      ? [{ protocol: 'string', id: 'config_string', text: text ?? '' }]
      : await loadConfigParts(read)
  if (parts.length === 0) throw new SettingsError(`there is no configuration at ${path ?? '-e'}`)
  return { read, settings: read.toData(), parts }
}
