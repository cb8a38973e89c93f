/**
 * Answers as YAML, laid out as Elasticsearch does it: texts in double quotes, names without where they can do without,
 * lists not further in than the name they stand under.
 */
import { insideOf, openedScalar } from '../../search/answer/json-text.ts'
import type { Notation } from '../../search/answer/value-writer.ts'

const plainName = /^[A-Za-z_][\w.-]*$/
/** What readers of some version of YAML take for something else than a text. */
const otherMeaning = /^(?:y|n|yes|no|on|off|true|false|null|e[\d_.]+)$/i
/** Allowed in JSON, but a line break, or nothing that is printed, in YAML. */
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
  const isPlain = plainName.test(name) && !otherMeaning.test(name)
  return isPlain ? name : printed(JSON.stringify(name))
}

function printed(text: string): string {
  return text.replace(unprinted, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
