/**
 * The options of a plugin as its configuration writes them, for people who look at a running pipeline. What is declared
 * as a password is never shown, nor what looks like a secret in any other option or in a URL, nor what came from the
 * keystore.
 */
import { secretValues } from '../../lang/secret-values.ts'
import { concealed, hiddenMark } from '../../log/hidden-texts.ts'
import type { PlannedPlugin } from '../../pipeline/plan/plan.ts'

export interface WrittenOption {
  name: string
  /** Source text of the value. */
  value: string
  /** What the plugin's declaration says of it. */
  doc?: string
}

const maxLength = 4000

export function writtenOptions({ node, part, definition }: PlannedPlugin): WrittenOption[] {
  return node.attributes.map(({ name, value, place }) => {
    const declared = Object.hasOwn(definition.options, name) ? definition.options[name] : undefined
    const text = part.text.slice(value.place.start, value.place.end)
    const whole = part.text.slice(place.start, place.end)
    return {
      name,
      value:
        declared?.kind === 'password'
          ? hiddenMark
          : cut(concealed(withoutSecrets(text, secretValues(whole)))),
      ...(declared !== undefined && { doc: declared.doc }),
    }
  })
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let shown = text
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, hiddenMark)
  return shown
}

function cut(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)} … ${text.length} characters`
}
