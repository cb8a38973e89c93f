/**
 * The rules for what stands right of `=>`: values, and plugins, which are values too (a codec).
 * Alternatives are tried in Logstash's order; a rule that does not apply gives `undefined`
 * and puts the position back.
 */
import type { ArrayNode, Attribute, HashEntry, HashNode, PluginNode, ValueNode } from './ast.ts'
import type { Scanner } from './scanner.ts'

export function plugin(s: Scanner): PluginNode | undefined {
  const start = s.at
  const name = s.takeName()
  if (name === undefined) return undefined
  s.skip()
  if (!s.take('{')) {
    s.at = start
    return undefined
  }
  const place = s.open(start)
  s.enter()
  s.skip()
  const attributes = attributeList(s)
  s.skip()
  s.leave()
  if (!s.take('}')) {
    s.at = start
    return undefined
  }
  return { kind: 'plugin', name, attributes, place: s.close(place) }
}

/** Attributes must be parted by white space; a comment alone does not part them. */
function attributeList(s: Scanner): Attribute[] {
  const attributes: Attribute[] = []
  let end = s.at
  for (;;) {
    const next = attribute(s)
    if (next === undefined) break
    attributes.push(next)
    end = s.at
    if (!s.takeBlanks()) break
    s.skip()
  }
  s.at = end
  return attributes
}

function attribute(s: Scanner): Attribute | undefined {
  const place = s.open()
  const word = s.takeWord()
  const name = word ?? s.takeString()?.text
  if (name === undefined) return undefined
  const value = assigned(s)
  if (value === undefined) {
    s.at = place.start
    return undefined
  }
  return { name, quoted: word === undefined, value, place: s.close(place) }
}

/** `=> value` */
function assigned(s: Scanner): ValueNode | undefined {
  s.skip()
  if (!s.take('=>')) return undefined
  s.skip()
  return value(s)
}

function value(s: Scanner): ValueNode | undefined {
  return plugin(s) ?? s.takeBareword() ?? s.takeString() ?? s.takeNumber() ?? array(s) ?? hash(s)
}

/** Items between commas, up to the bracket that closes them; a comma behind the last one is left to the caller. */
export function separated<Item>(s: Scanner, take: (s: Scanner) => Item | undefined): Item[] {
  s.skip()
  const items: Item[] = []
  let next = take(s)
  let end = s.at
  while (next !== undefined) {
    items.push(next)
    end = s.at
    s.skip()
    if (!s.take(',')) break
    s.skip()
    next = take(s)
  }
  s.at = end
  s.skip()
  return items
}

export function array(s: Scanner): ArrayNode | undefined {
  const start = s.at
  if (!s.take('[')) return undefined
  const place = s.open(start)
  s.enter()
  const items = separated(s, value)
  if (!closes(s, ']', start)) return undefined
  return { kind: 'array', items, place: s.close(place) }
}

function hash(s: Scanner): HashNode | undefined {
  const start = s.at
  if (!s.take('{')) return undefined
  const place = s.open(start)
  s.enter()
  const entries: HashEntry[] = []
  for (;;) {
    s.skip()
    const next = hashEntry(s)
    if (next === undefined) break
    entries.push(next)
  }
  if (!closes(s, '}', start)) return undefined
  return { kind: 'hash', entries, place: s.close(place) }
}

/** Takes the bracket at the end; without it the scanner goes back to where the list began. */
function closes(s: Scanner, bracket: string, start: number): boolean {
  s.leave()
  if (s.take(bracket)) return true
  s.at = start
  return false
}

function hashEntry(s: Scanner): HashEntry | undefined {
  const place = s.open()
  const key = s.takeNumber() ?? s.takeBareword() ?? s.takeString()
  if (key === undefined) return undefined
  const held = assigned(s)
  if (held === undefined) {
    s.at = place.start
    return undefined
  }
  return { key, value: held, place: s.close(place) }
}
