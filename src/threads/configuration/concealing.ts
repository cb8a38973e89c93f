/** Takes secrets out of texts: those that stand in configurations, beside those this thread knows of already. */
import { secretValues } from '../../lang/secret-values.ts'
import { concealed, hiddenMark } from '../../log/hidden-texts.ts'
import type { SourcePart } from '../../pipeline/plan/source.ts'

/** Shorter ones are everywhere by accident. */
const minLength = 4

/** Also in the form they have inside JSON. */
export function concealing(parts: readonly SourcePart[]): (text: string) => string {
  const secrets = new Set<string>()
  for (const { text } of parts)
    for (const secret of secretValues(text))
      if (secret.length >= minLength) secrets.add(secret).add(JSON.stringify(secret).slice(1, -1))
  const sorted = [...secrets].sort((a, b) => b.length - a.length)
  return (text) => {
    let shown = concealed(text)
    for (const secret of sorted)
      if (shown.includes(secret)) shown = shown.replaceAll(secret, () => hiddenMark)
    return shown
  }
}
