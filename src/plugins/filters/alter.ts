/**
 * alter: changes of fields that depend on values. Conditions and the first value of several that is known;
 * all of them templates.
 */
import type { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { refuseToRegister } from '../values/register-refusal.ts'

type Step = (event: Event) => void

export default defineFilter({
  name: 'alter',
  oneToOne: true,
  summary: 'Changes fields depending on their values.',
  description: 'The operations run in the order condrewrite, condrewriteother, coalesce.',
  options: {
    condrewrite: option.array({
      default: [],
      doc: 'Field, expected value and new value: where the field has the expected value it gets the new one.',
    }),
    condrewriteother: option.array({
      default: [],
      doc:
        'Field, expected value, other field and new value: where the field has the expected value the other ' +
        'field gets the new one.',
    }),
    coalesce: option.array({
      default: [],
      doc: 'A field, then values: the field gets the first in which every `%{…}` is known.',
    }),
  },
  examples: [
    {
      title: 'Values that replace others',
      config:
        'alter { condrewrite => [ "level", "warn", "warning" ] condrewriteother => [ "level", "warning", "seen", "yes" ] }',
      in: { level: 'warn' },
      out: { level: 'warning', seen: 'yes' },
    },
    {
      title: 'The first that is known',
      config: 'alter { coalesce => [ "name", "%{full_name}", "%{user}", "nobody" ] }',
      in: { user: 'jane' },
      out: { user: 'jane', name: 'jane' },
    },
  ],
  create({ options, compile }) {
    const steps = [
      ...groups(options.condrewrite, 3, 'condrewrite').map((group) => rewrite(group, compile)),
      ...groups(options.condrewriteother, 4, 'condrewriteother').map((group) => rewriteOther(group, compile)),
      ...coalesce(options.coalesce.map(rubyText), compile),
    ]
    return {
      filter(event) {
        for (const step of steps) step(event)
        return true
      },
    }
  },
})

function groups(list: readonly Value[], size: number, name: string): string[][] {
  if (list.length % size !== 0) {
    refuseToRegister(
      'alter',
      `Invalid ${name} configuration. ${name} has to have ${size} elements per config entry`,
    )
  }
  const texts = list.map(rubyText)
  return Array.from({ length: texts.length / size }, (_, i) => texts.slice(i * size, (i + 1) * size))
}

function rewrite([field = '', expected = '', replacement = '']: string[], compile: Compile): Step {
  return whereEqual(field, expected, field, replacement, compile, (list, wanted, text) =>
    list.map((item) => (item === wanted ? text : item)),
  )
}

function rewriteOther(
  [field = '', expected = '', other = '', replacement = '']: string[],
  compile: Compile,
): Step {
  return whereEqual(field, expected, other, replacement, compile, (_list, _wanted, text) => text)
}

/** Where `field` has the expected value, or a list with it, `other` is set; `ofList` says to what for a list. */
function whereEqual(
  field: string,
  expected: string,
  other: string,
  replacement: string,
  compile: Compile,
  ofList: (list: readonly Value[], wanted: string, text: string) => Value,
): Step {
  const get = compile.get(field)
  const set = compile.set(other)
  const expectedText = compile.template(expected)
  const newText = compile.template(replacement)
  return (event) => {
    const value = get(event)
    const wanted = expectedText(event)
    if (Array.isArray(value)) {
      if (value.includes(wanted)) set(event, ofList(value, wanted, newText(event)))
    } else if (value === wanted) set(event, newText(event))
  }
}

const unresolved = /%\{.+?\}/

function coalesce([field, ...values]: string[], compile: Compile): Step[] {
  if (field === undefined) return []
  const set = compile.set(field)
  const templates = values.map((text) => compile.template(text))
  return [
    (event) => {
      for (const template of templates) {
        const text = template(event)
        if (unresolved.test(text)) continue
        set(event, text)
        return
      }
    },
  ]
}
