/**
 * Opens what `${NAME}` refers to: the keystore, when there is one, and the environment. Done once per thread.
 * Nothing of the keystore is to be printed.
 */
import { hideText } from '../log/hidden-texts.ts'
import { environmentLookup, type VariableLookup } from './substitution.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export async function openVariables(keystoreFile: string, env: Environment): Promise<VariableLookup> {
  const lookup = environmentLookup(env)
  // Cryptography is loaded only where there is something to decrypt.
  const { access } = await import('node:fs/promises')
  const exists = await access(keystoreFile).then(
    () => true,
    () => false,
  )
  if (!exists) return lookup
  const { loadKeystore, passwordVariable } = await import('./keystore.ts')
  const keystore = await loadKeystore(keystoreFile, env[passwordVariable])
  for (const name of keystore.list()) hideText(keystore.get(name) ?? '')
  return { secret: (name) => keystore.get(name), environment: (name) => lookup.environment(name) }
}
