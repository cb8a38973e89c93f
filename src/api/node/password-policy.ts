/** What `api.auth.basic.password_policy` asks of the API's password: a warning or a refusal to start. */
import type { Settings } from '../../settings/settings.ts'

const maxLength = 1024

/** The complaint, or undefined for a good password. */
export function passwordComplaint(settings: Settings, password: string): string | undefined {
  const minimum = settings.get('api.auth.basic.password_policy.length.minimum')
  const rules: readonly (readonly [isBroken: boolean, rule: string])[] = [
    [
      password.length < minimum || password.length > maxLength,
      `must be length of between ${minimum} and ${maxLength}`,
    ],
    [isMissing(settings, 'upper', /\p{Lu}/u, password), 'must contain at least one upper case'],
    [isMissing(settings, 'lower', /\p{Ll}/u, password), 'must contain at least one lower case'],
    [isMissing(settings, 'digit', /\d/, password), 'must contain at least one digit between 0 and 9'],
    [
      isMissing(settings, 'symbol', /[^\p{L}\p{N}]/u, password),
      'must contain at least one special character',
    ],
  ]
  const broken = rules.flatMap(([isBroken, rule]) => (isBroken ? rule : []))
  return broken.length === 0 ? undefined : `Password ${broken.join(', ')}.`
}

function isMissing(
  settings: Settings,
  name: 'upper' | 'lower' | 'digit' | 'symbol',
  pattern: RegExp,
  password: string,
): boolean {
  return (
    settings.get(`api.auth.basic.password_policy.include.${name}`) === 'REQUIRED' && !pattern.test(password)
  )
}
