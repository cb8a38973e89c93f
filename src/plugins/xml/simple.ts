/**
 * An XML document as nested maps and lists, in the shape of Ruby's XmlSimple: the root is dropped, attributes
 * and children are keys, an element with nothing but text is that text, text beside attributes stands under
 * `content`, and with `force_array` every child is a list.
 */
import { type Fields, putField, readField, type Value } from '../../event/value.ts'
import type { XmlElement, XmlText } from './parse.ts'

interface SimpleOptions {
  readonly force_array: boolean
  readonly force_content: boolean
  readonly suppress_empty: boolean
}

const contentKey = 'content'

/** Null for an element without anything. */
export function simpleValue(element: XmlElement, options: SimpleOptions): Value {
  const result: Fields = {}
  for (const { name, text } of element.attributes) putField(result, name, text)
  const children = element.children.filter((child) => child.kind === 'element')
  const texts = element.children.filter(({ kind }) => kind === 'text' || kind === 'cdata')
  const plain = texts.map((child) => (child.kind === 'element' ? '' : child.text)).join('')
  if (children.length === 0 && texts.length > 0) {
    if (!/\S/.test(plain) && element.attributes.length === 0) return {}
    if (element.attributes.length === 0 && !options.force_content) return plain
    merge(result, contentKey, plain, options)
    return result
  }
  for (const child of children) {
    const value = simpleValue(child, options)
    if (options.suppress_empty && isEmpty(value) && element.attributes.length === 0) continue
    merge(result, child.local, value, options)
  }
  if (/\S/.test(plain)) {
    // Beside elements, text is kept as it was written.
    const parts = (texts as XmlText[]).map(({ text, raw }) => raw?.replace(/\r\n?/g, '\n') ?? text)
    putField(result, contentKey, parts.length === 1 ? parts[0]! : parts)
  }
  return Object.keys(result).length === 0 ? nothing(options) : result
}

function nothing({ suppress_empty }: SimpleOptions): Value {
  return suppress_empty ? null : {}
}

function isEmpty(value: Value): boolean {
  if (value === null) return true
  if (typeof value === 'string') return !/\S/.test(value)
  return typeof value === 'object' && Object.keys(value).length === 0
}

function merge(fields: Fields, name: string, value: Value, { force_array }: SimpleOptions): void {
  const old = readField(fields, name)
  if (Array.isArray(old)) old.push(value)
  else if (old !== undefined) putField(fields, name, [old, value])
  else putField(fields, name, force_array && name !== contentKey ? [value] : value)
}
