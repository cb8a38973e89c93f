/**
 * A dissect pattern: literal delimiters and keys in turn. Matching is one walk with plain text searches;
 * nothing is saved unless the whole pattern fits. Saving comes in the order normal, append, indirect.
 */
import type { Getter, Setter } from '../../../event/accessors.ts'
import type { Event } from '../../../event/event.ts'
import type { Compile } from '../../../plugin/compile.ts'
import { rubyText } from '../../ruby-values/text.ts'
import { type DissectKey, parseKey } from './key.ts'

interface Part extends DissectKey {
  /** Text before the key: what an append is joined with. */
  readonly before: string
  /** Text behind the key; empty at the end of the pattern. */
  readonly delimiter: string
}

type Save = (event: Event, text: string, starts: Int32Array, ends: Int32Array) => void

/** True when the text fits, and its parts are in the event. */
type Dissect = (event: Event, text: string) => boolean

export function compileDissect(pattern: string, compile: Compile): Dissect {
  const { head, parts } = parsePattern(pattern)
  // Two keys with nothing between them have no place to cut.
  const never = parts.length === 0 || parts.slice(0, -1).some(({ delimiter }) => delimiter === '')
  if (never) return () => false
  const count = parts.length
  const delimiters = parts.map(({ delimiter }) => delimiter)
  const swallows = parts.map(({ swallowsRepeats }) => swallowsRepeats)
  const starts = new Int32Array(count)
  const ends = new Int32Array(count)
  const saves = compileSaves(parts, compile)

  return (event, text) => {
    if (!text.startsWith(head)) return false
    let at = head.length
    for (let i = 0; i < count; i++) {
      const delimiter = delimiters[i]!
      const end = delimiter === '' ? text.length : text.indexOf(delimiter, at)
      if (end < 0) return false
      starts[i] = at
      ends[i] = end
      // A delimiter at the very beginning is found but not passed, so that the next key finds it again.
      if (end > 0) at = end + delimiter.length
      if (swallows[i] && delimiter !== '') while (text.startsWith(delimiter, at)) at += delimiter.length
    }
    for (let i = 0; i < saves.length; i++) saves[i]!(event, text, starts, ends)
    return true
  }
}

function parsePattern(pattern: string): { head: string; parts: Part[] } {
  const keys: string[] = []
  const literals: string[] = []
  let from = 0
  for (;;) {
    const open = pattern.indexOf('%{', from)
    const close = open < 0 ? -1 : pattern.indexOf('}', open + 2)
    if (close < 0) break
    literals.push(pattern.slice(from, open))
    keys.push(pattern.slice(open + 2, close))
    from = close + 1
  }
  literals.push(pattern.slice(from))
  const parts = keys.map((key, place) => ({
    ...parseKey(key, place),
    before: literals[place]!,
    delimiter: literals[place + 1]!,
  }))
  return { head: literals[0]!, parts }
}

function compileSaves(parts: readonly Part[], compile: Compile): Save[] {
  const placed = parts.map((part, place) => ({ part, place }))
  const ofKind = (kind: DissectKey['kind']) => placed.filter(({ part }) => part.kind === kind)
  const appends = ofKind('append').sort((a, b) => a.part.ordinal - b.part.ordinal)
  return [
    ...ofKind('normal').map(({ part, place }) => saveNormal(compile.set(part.name), place)),
    ...appends.map(({ part, place }) =>
      saveAppended(compile.get(part.name), compile.set(part.name), part.before || ' ', place),
    ),
    ...ofKind('indirect').map(({ part, place }) => {
      const named = placed.findLast(
        (other) => other.part.name === part.name && ['normal', 'skip'].includes(other.part.kind),
      )
      return saveIndirect(named?.place, compile.get(part.name), place)
    }),
  ]
}

function saveNormal(set: Setter, place: number): Save {
  return (event, text, starts, ends) => set(event, text.slice(starts[place]!, ends[place]!))
}

function saveAppended(get: Getter, set: Setter, joint: string, place: number): Save {
  return (event, text, starts, ends) => {
    const value = text.slice(starts[place]!, ends[place]!)
    const old = get(event)
    set(event, old === undefined || old === null ? value : rubyText(old) + joint + value)
  }
}

/** The name is the text of another key, or what the event has under it. */
function saveIndirect(named: number | undefined, get: Getter, place: number): Save {
  return (event, text, starts, ends) => {
    const found = named === undefined ? get(event) : text.slice(starts[named]!, ends[named]!)
    const name = found === undefined ? '' : rubyText(found)
    if (name !== '') event.set(name, text.slice(starts[place]!, ends[place]!))
  }
}
