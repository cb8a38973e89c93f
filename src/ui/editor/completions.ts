/** What can be written at a place of a configuration, from the declarations of the node's plugins. */
import { ask } from '../api/ask.ts'
import type { CompletionPlace, PluginKind } from './completion-place.ts'

export interface Completion {
  readonly name: string
  /** A word or two beside the name. */
  readonly note: string
  /** A sentence for the one that is chosen. */
  readonly about: string
  /** What is written instead of the word; `|` is where the caret goes. */
  readonly insert: string
}

interface Option {
  readonly name: string
  readonly kind: string
  readonly list: boolean
  readonly required: boolean
  readonly doc: string
  readonly default?: string
  readonly values?: readonly string[]
  readonly deprecated?: string
}

interface Declared {
  readonly summary: string
  readonly options: readonly Option[]
}

/** What is known of plugins; each question is asked once. */
export interface PluginReference {
  names(type: PluginKind): Promise<readonly string[]>
  declared(type: PluginKind, name: string): Promise<Declared | undefined>
}

export function nodeReference(): PluginReference {
  const known = new Map<string, Promise<Declared | undefined>>()
  let all: Promise<readonly string[]> | undefined
  return {
    async names(type) {
      all ??= ask<{ plugins: readonly { name: string }[] }>('/_node/plugins').then(({ plugins }) =>
        plugins.map(({ name }) => name),
      )
      const start = `logstash-${type}-`
      return (await all).filter((name) => name.startsWith(start)).map((name) => name.slice(start.length))
    },
    declared(type, name) {
      const path = `/_node/plugins/${type}/${encodeURIComponent(name)}`
      const found =
        known.get(path) ??
        ask<{ plugin: Declared }>(path).then(
          ({ plugin }) => plugin,
          () => undefined,
        )
      known.set(path, found)
      return found
    },
  }
}

const maxShown = 50

export async function completionsAt(
  place: CompletionPlace,
  reference: PluginReference,
): Promise<readonly Completion[]> {
  const word = place.word.toLowerCase()
  const all = await everything(place, reference)
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(word))
  const contains = all.filter(
    ({ name }) => !name.toLowerCase().startsWith(word) && name.toLowerCase().includes(word),
  )
  return [...begins, ...contains].slice(0, maxShown)
}

async function everything(place: CompletionPlace, reference: PluginReference): Promise<Completion[]> {
  switch (place.kind) {
    case 'section':
      return ['input', 'filter', 'output'].map((name) => block(name, 'section', ''))
    case 'plugin': {
      const words = place.type === 'input' ? [] : place.afterBranch ? ['if', 'else', 'else if'] : ['if']
      const names = await reference.names(place.type)
      return [
        ...names.map((name) => block(name, place.type, '')),
        ...words.map((name) => ({
          name,
          note: 'condition',
          about: '',
          insert: name === 'else' ? 'else {\n  |\n}' : `${name} |`,
        })),
      ]
    }
    case 'option': {
      const declared = await reference.declared(place.type, place.name)
      return (declared?.options ?? [])
        .filter(({ name }) => !place.used.has(name))
        .sort((a, b) => Number(b.required) - Number(a.required))
        .map(optionCompletion)
    }
    case 'value': {
      const declared = await reference.declared(place.type, place.name)
      const option = declared?.options.find(({ name }) => name === place.option)
      if (option?.kind === 'codec')
        return (await reference.names('codec')).map((name) => ({
          name,
          note: 'codec',
          about: '',
          insert: `${name}|`,
        }))
      const values = option?.kind === 'boolean' ? ['true', 'false'] : (option?.values ?? [])
      return values.map((name) => ({
        name,
        note: JSON.stringify(name) === option?.default || name === option?.default ? 'default' : '',
        about: option?.doc ?? '',
        insert: option?.kind === 'boolean' ? `${name}|` : `"${name}"|`,
      }))
    }
  }
}

function block(name: string, note: string, about: string): Completion {
  return { name, note, about, insert: `${name} {\n  |\n}` }
}

const texts = ['string', 'password', 'uri', 'path', 'ipaddr', 'field_reference', 'sha_256_hex', 'bytes']

function optionCompletion({ name, kind, list, required, doc, deprecated, ...more }: Option): Completion {
  const value =
    list || kind === 'array'
      ? '["|"]'
      : kind === 'hash'
        ? '{ "|" => "" }'
        : texts.includes(kind)
          ? '"|"'
          : '|'
  const about = [
    deprecated === undefined ? '' : `Deprecated: ${deprecated}`,
    doc,
    more.default === undefined ? '' : `Default: ${more.default}`,
  ]
  const words = [
    `${more.values === undefined ? kind.replace('_', ' ') : more.values.slice(0, 3).join(' | ')}${list ? ' list' : ''}`,
    ...(required ? ['required'] : []),
    ...(deprecated === undefined ? [] : ['deprecated']),
  ]
  return {
    name,
    note: words.join(', '),
    about: about.filter((text) => text !== '').join(' '),
    insert: `${name} => ${value}`,
  }
}

/** The text that replaces the word, with the indentation of its line, and where the caret goes in it. */
export function inserted({ insert }: Completion, indent: string): { text: string; caret: number } {
  const text = insert.replaceAll('\n', `\n${indent}`)
  const caret = text.indexOf('|')
  return { text: text.slice(0, caret) + text.slice(caret + 1), caret }
}
