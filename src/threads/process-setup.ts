/** What the control thread and the pipelines' threads make of settings alike, before any pipeline is known. */
import { secretValues } from '../lang/secret-values.ts'
import { hideText } from '../log/hidden-texts.ts'
import type { Settings } from '../settings/settings.ts'
import type { VariableLookup } from '../settings/substitution.ts'
import { openVariables } from '../settings/variables.ts'

export async function variablesFor(settings: Settings): Promise<VariableLookup> {
  return openVariables(settings.get('keystore.file'), process.env)
}

/** Passwords of the settings, and one in the address of a remote configuration. */
function hideSecretSettings(settings: Settings): void {
  const address = settings.get('path.config') ?? ''
  for (const secret of [...settings.secrets(), ...secretValues(address)]) hideText(secret)
}

/** What the settings say about logging; from then on their secrets are not printed by this thread. */
export function logging(settings: Settings) {
  hideSecretSettings(settings)
  const directory = settings.isSet('path.logs') ? settings.get('path.logs') : undefined
  return {
    level: settings.get('log.level'),
    format: settings.get('log.format'),
    ...(directory !== undefined && { directory }),
    separateLogs: settings.get('pipeline.separate_logs'),
    fixDuplicateMessage: settings.get('log.format.json.fix_duplicate_message_fields'),
  }
}
