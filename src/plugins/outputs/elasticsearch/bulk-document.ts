/**
 * The second line of a bulk item: the event itself, or what an `update` wants around it. The event's own JSON
 * goes in as it is.
 */
import type { Event } from '../../../event/event.ts'
import { parseJson } from '../../../event/json-parse.ts'
import { writeJson } from '../../../event/json-write.ts'
import type { Fields } from '../../../event/value.ts'
import type { ActionSettings } from './bulk-actions.ts'

/** Is given the event of its action. */
export type DocumentText = (event: Event) => string

/** The event as it is: whoever has the text can have the event again. */
export const ownText: DocumentText = (event) => event.toJson()

export function compileDocument(settings: ActionSettings): (event: Event, name: string) => DocumentText {
  const { dataStream } = settings
  const update = compileUpdate(settings)
  const joined = compileJoin(settings)
  return (event, name) => {
    const document = joined?.(event) ?? dataStream?.documentOf(event) ?? event
    if (name === 'update') return () => update(event, document)
    return document === event ? ownText : () => document.toJson()
  }
}

/** With a join field, the event gets the name of its relation and its parent as one object. */
function compileJoin({ options, compile }: ActionSettings): ((event: Event) => Event) | undefined {
  if (options.parent === undefined || options.join_field === undefined) return undefined
  const parent = compile.template(options.parent)
  const get = compile.get(options.join_field)
  const set = compile.set(options.join_field)
  return (event) => {
    const copy = event.clone()
    set(copy, { name: get(event) ?? null, parent: parent(event) })
    return copy
  }
}

function compileUpdate({
  options,
  compile,
  version,
}: ActionSettings): (event: Event, document: Event) => string {
  const { doc_as_upsert, scripted_upsert } = options
  const given = (text: string | undefined) =>
    text === undefined || text === '' ? undefined : compile.template(text)
  const upsert = given(options.upsert)
  const script = given(options.script)
  const upsertText = (event: Event): string =>
    upsert === undefined ? '' : `,"upsert":${writeJson(parseJson(upsert(event)))}`
  if (script === undefined) {
    return (event, document) =>
      `{"doc":${document.toJson()}${doc_as_upsert ? ',"doc_as_upsert":true' : upsertText(event)}}`
  }
  const variable = JSON.stringify(options.script_var_name ?? 'event')
  const kind = options.script_type ?? 'inline'
  const language = options.script_lang ?? 'painless'
  const nameOfSource = (): string => {
    if (kind === 'indexed') return 'id'
    if (kind === 'file') return 'file'
    const { major } = version()
    return major !== undefined && major < 6 ? 'inline' : 'source'
  }
  return (event, document) => {
    const json = document.toJson()
    const rest: Fields = { [nameOfSource()]: script(event) }
    if (language !== '') rest['lang'] = language
    const head = `{"script":{"params":{${variable}:${json}},${writeJson(rest).slice(1)}`
    if (scripted_upsert) return `${head},"scripted_upsert":true,"upsert":{}}`
    if (doc_as_upsert) return `${head},"upsert":${json}}`
    return `${head}${upsertText(event)}}`
  }
}
