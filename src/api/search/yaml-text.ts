/**
 * Prints answers as YAML in Elasticsearch's layout: strings in double quotes, keys unquoted where possible,
 * lists not indented further than their key.
 */
import { insideOf, openedScalar } from '../../search/answer/json-text.ts'
import type { Notation } from '../../search/answer/value-writer.ts'

const plainName = /^[A-Za-z_][\w.-]*$/
/** Words that some YAML version reads as something other than a string. */
const ambiguousWord = /^(?:y|n|yes|no|on|off|true|false|null|e[\d_.]+)$/i
/** Characters that JSON allows but YAML treats as line breaks or unprintable. */
const unprinted = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

export const yaml: Notation = {
  head: '---',
  tail: '\n',
  scalar(value) {
    const text = openedScalar(value)
    return text === undefined ? undefined : ` ${printed(text)}`
  },
  inside: (value) => insideOf(value)!,
  empty: (isList) => (isList ? ' []' : ' {}'),
  indent(outer, isList) {
    if (outer === undefined) return 0
    return outer.names !== undefined && isList ? outer.indent : outer.indent + 2
  },
  begin: () => '',
  member({ names, at, indent, outer }) {
    const continuesLine = at === 0 && outer !== undefined && outer.names === undefined
    const start = continuesLine ? ' ' : `\n${' '.repeat(indent)}`
    return names === undefined ? `${start}-` : `${start}${nameText(names[at]!)}:`
  },
  end: () => '',
}

function nameText(name: string): string {
  const isPlain = plainName.test(name) && !ambiguousWord.test(name)
  return isPlain ? name : printed(JSON.stringify(name))
}

function printed(text: string): string {
  return text.replace(unprinted, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
