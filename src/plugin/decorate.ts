/**
 * The common options at work: what a filter that succeeded, or an input, does to its event besides its own
 * work. Compiled once per plugin; a plugin without such options costs nothing, as there is no function.
 * Bad field references raise when an event comes by, not when the pipeline is built, as in Logstash.
 */
import { compileGet, compileRemove, compileSet } from '../event/accessors.ts'
import type { Event } from '../event/event.ts'
import { InvalidFieldReference } from '../event/field-reference.ts'
import { compileTemplate, isConstantTemplate, type Template } from '../event/sprintf.ts'
import { type Fields, fieldNames, isFields, readField, type Value } from '../event/value.ts'
import type { CommonFilterOptions, CommonInputOptions } from './common-options.ts'
import type { HashValue } from './option.ts'
import { textOf } from './raw-text.ts'

export type Decoration = (event: Event) => void

type FilterDecorations = Partial<
  Pick<CommonFilterOptions, 'add_field' | 'remove_field' | 'add_tag' | 'remove_tag'>
>
type InputDecorations = Partial<Pick<CommonInputOptions, 'type' | 'add_field' | 'tags'>>

/** add_field, remove_field, add_tag, remove_tag, in this order. */
export function compileFilterDecoration(options: FilterDecorations): Decoration | undefined {
  return inSequence([
    ...addFields(options.add_field),
    ...(options.remove_field ?? []).map(removeField),
    ...addTags(options.add_tag),
    ...removeTags(options.remove_tag),
  ])
}

/**
 * type unless the event has one, add_field, tags, in this order. They only add to an event, so one that cannot be
 * applied keeps none of the others from it; a filter's end at the first failure, before they remove anything.
 */
export function compileInputDecoration(options: InputDecorations): Decoration | undefined {
  const steps = [...setType(options.type), ...addFields(options.add_field), ...addTags(options.tags)]
  return steps.length < 2 ? steps[0] : steps.reduce(both)
}

function both(first: Decoration, second: Decoration): Decoration {
  return (event) => {
    try {
      first(event)
    } finally {
      second(event)
    }
  }
}

function inSequence(steps: Decoration[]): Decoration | undefined {
  const [first, second] = steps
  if (first === undefined) return undefined
  if (second === undefined) return first
  if (steps.length === 2) {
    return (event) => {
      first(event)
      second(event)
    }
  }
  return (event) => {
    for (const step of steps) step(event)
  }
}

function setType(type: string | undefined): Decoration[] {
  if (type === undefined) return []
  const get = compileGet('type')
  const set = compileSet('type')
  return [
    (event) => {
      if (get(event) === undefined) set(event, type)
    },
  ]
}

function addFields(fields: HashValue | undefined): Decoration[] {
  const steps: Decoration[] = []
  for (const [name, given] of fields ?? []) {
    for (const value of Array.isArray(given) ? given : [given]) steps.push(addField(name, textOf(value)))
  }
  return steps
}

function addField(name: string, text: string): Decoration {
  const value = compileTemplate(text)
  if (!isConstantTemplate(name)) {
    const nameOf = compileTemplate(name)
    return (event) => {
      const reference = nameOf(event)
      const old = event.get(reference)
      const added = value(event)
      event.set(reference, old === undefined ? added : [...rubyList(old), added])
    }
  }
  return whenValid(() => {
    const get = compileGet(name)
    const set = compileSet(name)
    const add = (event: Event, added: string) => {
      const old = get(event)
      set(event, old === undefined ? added : [...rubyList(old), added])
    }
    return isConstantTemplate(text) ? (event) => add(event, text) : (event) => add(event, value(event))
  })
}

function removeField(given: Value): Decoration {
  const name = textOf(given)
  if (isConstantTemplate(name)) return whenValid(() => compileRemove(name))
  const nameOf = compileTemplate(name)
  return (event) => {
    event.remove(nameOf(event))
  }
}

const getTags = compileGet('tags')
const setTags = compileSet('tags')

function addTags(given: readonly Value[] | undefined): Decoration[] {
  return changeTags(given, (event, tagsOf) => [...rubyList(getTags(event) ?? null), ...tagsOf(event)])
}

function removeTags(given: readonly Value[] | undefined): Decoration[] {
  return changeTags(given, (event, tagsOf) => {
    const old = getTags(event)
    if (old === undefined || old === null) return undefined
    const gone = tagsOf(event)
    if (Array.isArray(old) && !old.some((tag) => gone.includes(tag as string))) return undefined
    return rubyList(old).filter((tag) => !gone.includes(tag as string))
  })
}

/** Nothing to do where no tags are given; `change` returns undefined where the tags stay as they are. */
function changeTags(
  given: readonly Value[] | undefined,
  change: (event: Event, tagsOf: (event: Event) => readonly string[]) => Value[] | undefined,
): Decoration[] {
  if (given === undefined || given.length === 0) return []
  const tagsOf = texts(given)
  return [
    (event) => {
      const tags = change(event, tagsOf)
      if (tags !== undefined) setTags(event, tags)
    },
  ]
}

/** The texts of templates; one list for all events when none of them depends on the event. */
function texts(given: readonly Value[]): (event: Event) => readonly string[] {
  const sources = given.map(textOf)
  if (sources.every(isConstantTemplate)) return () => sources
  const templates: Template[] = sources.map(compileTemplate)
  return (event) => templates.map((template) => template(event))
}

/** Ruby's `Array(value)`: null is empty, a map becomes its pairs. */
function rubyList(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  if (value === null) return []
  return typeof value === 'object' && isFields(value) ? pairs(value) : [value]
}

function pairs(fields: Fields): Value[] {
  return fieldNames(fields).map((name) => [name, readField(fields, name) as Value])
}

function whenValid(compile: () => Decoration | ((event: Event) => unknown)): Decoration {
  try {
    return compile() as Decoration
  } catch (error) {
    if (!(error instanceof InvalidFieldReference)) throw error
    return () => {
      throw error
    }
  }
}
