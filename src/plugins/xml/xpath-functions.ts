/**
 * The functions of XPath 1.0's core library, each with how many arguments it takes.
 */
import type { XmlAttribute, XmlDocument, XmlElement } from './parse.ts'
import { axes, stringValue, type XNode } from './xpath-axes.ts'
import { toBoolean, toNumber, toText, type XValue } from './xpath-values.ts'

export interface Context {
  readonly node: XNode
  readonly position: number
  readonly size: number
}

type Call = (args: XValue[], context: Context, document: XmlDocument) => XValue

interface XFunction {
  readonly min: number
  readonly max: number
  readonly call: Call
}

/** The node a function is asked about: the first of its argument, or the one it stands at. */
function subject(args: XValue[], { node }: Context): XNode | undefined {
  if (args[0] === undefined) return node
  return Array.isArray(args[0]) ? args[0][0] : undefined
}

function named(args: XValue[], context: Context): XmlElement | XmlAttribute | undefined {
  const node = subject(args, context)
  return node?.kind === 'element' || node?.kind === 'attribute' ? node : undefined
}

function instructionName(args: XValue[], context: Context): string {
  const node = subject(args, context)
  return node?.kind === 'instruction' ? node.target : ''
}

const textOr = (args: XValue[], { node }: Context): string =>
  args[0] === undefined ? stringValue(node) : toText(args[0])

function substring([text = '', from = 1, length = Number.POSITIVE_INFINITY]: XValue[]): string {
  const first = Math.round(toNumber(from))
  const end = first + Math.round(toNumber(length))
  return [...toText(text)].filter((_, i) => i + 1 >= first && i + 1 < end).join('')
}

function translate([text = '', from = '', to = '']: XValue[]): string {
  const others = [...toText(to)]
  const places = new Map<string, string>()
  for (const [i, letter] of [...toText(from)].entries())
    if (!places.has(letter)) places.set(letter, others[i] ?? '')
  return [...toText(text)].map((letter) => places.get(letter) ?? letter).join('')
}

/** Whether `xml:lang` of the nearest element that has one is the language, or begins with it. */
function isLanguage([language = '']: XValue[], { node }: Context): boolean {
  const wanted = toText(language).toLowerCase()
  let element = node.kind === 'document' ? undefined : node.kind === 'element' ? node : node.parent
  for (; element !== undefined; element = element.parent) {
    const given = element.attributes.find(({ name }) => name === 'xml:lang')?.text.toLowerCase()
    if (given !== undefined) return given === wanted || given.startsWith(`${wanted}-`)
  }
  return false
}

/** Elements by `xml:id`; document types, which may name other attributes, are not read. */
function byId([given = '']: XValue[], _: Context, document: XmlDocument): XNode[] {
  const texts = Array.isArray(given) ? given.map(stringValue) : [toText(given)]
  const ids = new Set(texts.flatMap((text) => text.split(/\s+/)))
  return axes.get('descendant')!(document, { document }).filter(
    (node) =>
      node.kind === 'element' && node.attributes.some(({ name, text }) => name === 'xml:id' && ids.has(text)),
  )
}

function before([text = '', part = '']: XValue[]): string {
  const at = toText(text).indexOf(toText(part))
  return at < 0 ? '' : toText(text).slice(0, at)
}

function after([text = '', part = '']: XValue[]): string {
  const at = toText(text).indexOf(toText(part))
  return at < 0 ? '' : toText(text).slice(at + toText(part).length)
}

const sum: Call = ([list = []]) =>
  Array.isArray(list) ? list.reduce((total, node) => total + toNumber(stringValue(node)), 0) : Number.NaN

const of = (min: number, max: number, call: Call): XFunction => ({ min, max, call })

export const functions: ReadonlyMap<string, XFunction> = new Map([
  ['last', of(0, 0, (_, { size }) => size)],
  ['position', of(0, 0, (_, { position }) => position)],
  ['count', of(1, 1, ([list = []]) => (Array.isArray(list) ? list.length : Number.NaN))],
  ['id', of(1, 1, byId)],
  ['name', of(0, 1, (args, context) => named(args, context)?.name ?? instructionName(args, context))],
  ['local-name', of(0, 1, (args, context) => named(args, context)?.local ?? instructionName(args, context))],
  ['namespace-uri', of(0, 1, (args, context) => named(args, context)?.uri ?? '')],
  ['string', of(0, 1, textOr)],
  ['concat', of(2, 1000, (args) => args.map(toText).join(''))],
  ['starts-with', of(2, 2, ([a = '', b = '']) => toText(a).startsWith(toText(b)))],
  ['contains', of(2, 2, ([a = '', b = '']) => toText(a).includes(toText(b)))],
  ['substring-before', of(2, 2, before)],
  ['substring-after', of(2, 2, after)],
  ['substring', of(2, 3, substring)],
  ['string-length', of(0, 1, (args, context) => [...textOr(args, context)].length)],
  ['normalize-space', of(0, 1, (args, context) => textOr(args, context).trim().replace(/\s+/g, ' '))],
  ['translate', of(3, 3, translate)],
  ['boolean', of(1, 1, ([value = '']) => toBoolean(value))],
  ['not', of(1, 1, ([value = '']) => !toBoolean(value))],
  ['true', of(0, 0, () => true)],
  ['false', of(0, 0, () => false)],
  ['lang', of(1, 1, isLanguage)],
  ['number', of(0, 1, (args, context) => toNumber(args[0] ?? stringValue(context.node)))],
  ['sum', of(1, 1, sum)],
  ['floor', of(1, 1, ([value = 0]) => Math.floor(toNumber(value)))],
  ['ceiling', of(1, 1, ([value = 0]) => Math.ceil(toNumber(value)))],
  ['round', of(1, 1, ([value = 0]) => Math.round(toNumber(value)))],
])
