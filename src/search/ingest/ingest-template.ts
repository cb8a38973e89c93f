/** Texts and values with `{{field}}` in them, rendered for each document. */
import { encodingOf, renderSteps } from '../mustache/render.ts'
import { parseTemplate } from '../mustache/template.ts'
import { put } from '../request/json-object.ts'
import { finish } from '../scheduling/steps.ts'
import { deepCopy, type Fields, type IngestDocument, isMap } from './ingest-document.ts'

export type Rendered<Value> = (document: IngestDocument) => Value

export function compileTemplate(text: string, mediaType?: string): Rendered<string> {
  if (!text.includes('{{')) return () => text
  const nodes = parseTemplate(text)
  const encode = encodingOf(mediaType)
  return (document) => {
    const rendered = finish(renderSteps(nodes, document.templateModel, encode))
    document.budget.makes(rendered.length)
    return rendered
  }
}

/** A value of a configuration; texts inside of it may be templates. Each document gets a copy. */
export function compileValue(value: unknown, mediaType?: string): Rendered<unknown> {
  if (typeof value === 'string') return compileTemplate(value, mediaType)
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, mediaType))
    return (document) => items.map((item) => item(document))
  }
  if (!isMap(value)) return () => deepCopy(value)
  const entries = Object.entries(value).map(
    ([name, part]) => [compileTemplate(name, mediaType), compileValue(part, mediaType)] as const,
  )
  return (document) => {
    const fields: Fields = {}
    for (const [name, part] of entries) put(fields, name(document), part(document))
    return fields
  }
}
