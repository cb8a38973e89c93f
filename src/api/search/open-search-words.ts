/**
 * Errors in the words of OpenSearch, where they differ from those of Elasticsearch, in which the engine writes them:
 * Java packages, some texts, and the type of an unknown setting.
 */
import { openSearchDateText } from '../../search/time/nanos-format-name.ts'

const texts: readonly (readonly [RegExp, string])[] = [
  [/\borg\.elasticsearch\./g, 'org.opensearch.'],
  [/^Invalid aggregator order path/, 'Invalid aggregation order path'],
  [/^(Can only use \w+ queries on) keyword, text and wildcard fields/, '$1 keyword and text fields'],
  [
    /^(?:cannot access method\/field \[.*\] from a null def reference|Cannot address a null as an array\.)$/,
    'Cannot invoke "Object.getClass()" because "callArgs[0]" is null',
  ],
  [/^fuzziness cannot be \[(.*)\]$/, 'Invalid fuzziness value: $1'],
]

type ErrorObject = Readonly<Record<string, unknown>>

function isErrorObject(value: unknown): value is ErrorObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function inOpenSearchWords(error: ErrorObject): ErrorObject {
  const shown: Record<string, unknown> = { ...error }
  const { type, reason } = error
  if (typeof reason === 'string') {
    if (type === 'illegal_argument_exception' && reason.startsWith('unknown setting ['))
      shown['type'] = 'settings_exception'
    shown['reason'] = texts.reduce((text, [from, to]) => text.replace(from, to), openSearchDateText(reason))
  }
  for (const name of ['caused_by', 'reason'])
    if (isErrorObject(error[name])) shown[name] = inOpenSearchWords(error[name])
  for (const name of ['root_cause', 'failed_shards']) {
    const list = error[name]
    if (Array.isArray(list))
      shown[name] = list.map((one: unknown) => (isErrorObject(one) ? inOpenSearchWords(one) : one))
  }
  return shown
}
