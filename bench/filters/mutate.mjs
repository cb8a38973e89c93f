// The operations of mutate, one at a time, each copy on a field of its own. By hand a removed field is undefined, which
// JSON.stringify leaves out.
import { perCopy } from './sample-event.mjs'

const someText = perCopy('text', 'Some Text, 42')

export const mutateFilters = {
  'mutate add_field': {
    fields: {},
    config: (n) => `mutate { add_field => { "f${n}" => "fixed" } }`,
    bare: (n) => `event.f${n} = 'fixed'`,
  },
  'mutate rename': {
    fields: someText,
    config: (n) => `mutate { rename => { "text${n}" => "renamed${n}" } }`,
    bare: (n) => `event.renamed${n} = event.text${n}; event.text${n} = undefined`,
  },
  'mutate remove_field': {
    fields: someText,
    config: (n) => `mutate { remove_field => ["text${n}"] }`,
    bare: (n) => `event.text${n} = undefined`,
  },
  'mutate replace': {
    fields: someText,
    config: (n) => `mutate { replace => { "text${n}" => "new" } }`,
    bare: (n) => `event.text${n} = 'new'`,
  },
  'mutate convert integer': {
    fields: perCopy('number', '12345'),
    config: (n) => `mutate { convert => { "number${n}" => "integer" } }`,
    bare: (n) => `event.number${n} = Number(event.number${n})`,
  },
  'mutate gsub': {
    fields: someText,
    config: (n) => `mutate { gsub => ["text${n}", "\\d+", "#"] }`,
    bare: (n) => `event.text${n} = event.text${n}.replace(/\\d+/g, '#')`,
  },
  'mutate lowercase': {
    fields: someText,
    config: (n) => `mutate { lowercase => ["text${n}"] }`,
    bare: (n) => `event.text${n} = event.text${n}.toLowerCase()`,
  },
  'mutate split': {
    fields: someText,
    config: (n) => `mutate { split => { "text${n}" => "," } }`,
    bare: (n) => `event.text${n} = event.text${n}.split(',')`,
  },
  'mutate copy': {
    fields: { labels: ['a', 'b', 'c'] },
    config: (n) => `mutate { copy => { "labels" => "copy${n}" } }`,
    bare: (n) => `event.copy${n} = event.labels.slice()`,
  },
  'mutate add_tag': {
    fields: {},
    config: (n) => `mutate { add_tag => ["tag${n}"] }`,
    bare: (n) => (n === 0 ? `event.tags = ['tag0']` : `event.tags.push('tag${n}')`),
  },
}
