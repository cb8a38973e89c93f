/**
 * Finds files the way Ruby's `Dir.glob` does: `*`, `?`, `[a-z]`, `[^a]`, `{a,b}`, `**` for any depth, backslash for a
 * literal character. Wildcards do not match a leading dot, `**` does not follow links. Patterns are the user's text
 * and are therefore matched by hand, never turned into a regular expression.
 */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { compareUtf8 } from '../text/utf8-order.ts'
import { fitsWildcards } from '../text/wildcards.ts'

const maxAlternatives = 1000
const maxEntries = 100_000
const maxDepth = 64

/** Absolute pattern in, sorted paths out (files, directories and others). */
export async function glob(pattern: string): Promise<string[]> {
  const found = new Set<string>()
  const budget = { left: maxEntries }
  for (const alternative of expandBraces(pattern)) {
    await walk('', alternative.split('/').slice(1), found, budget, 0)
  }
  return [...found].sort(compareUtf8)
}

/** Whether one path segment matches one pattern segment. */
export function matchesSegment(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  const characters = [...name]
  const tokens = tokenize(pattern)
  return fitsWildcards(
    tokens.length,
    characters.length,
    (token) => tokens[token] === '*',
    (token, at) => {
      const test = tokens[token]
      return test !== undefined && test !== '*' && test(characters[at]!)
    },
  )
}

type Token = '*' | ((character: string) => boolean)

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '*') tokens.push('*')
    else if (character === '?') tokens.push(() => true)
    else if (character === '[') {
      const end = characters.indexOf(']', at + 2)
      if (end < 0) {
        tokens.push((other) => other === '[')
      } else {
        tokens.push(characterClass(characters.slice(at + 1, end)))
        at = end
      }
    } else {
      const literal = character === '\\' && at + 1 < characters.length ? (characters[++at] ?? '') : character
      tokens.push((other) => other === literal)
    }
  }
  return tokens
}

function characterClass(body: readonly string[]): (character: string) => boolean {
  const isNegated = body[0] === '^' || body[0] === '!'
  const members = isNegated ? body.slice(1) : body
  const ranges: [string, string][] = []
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? ''
    const to = members[at + 2]
    if (members[at + 1] === '-' && to !== undefined) {
      ranges.push([from, to])
      at += 2
    } else {
      ranges.push([from, from])
    }
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated
}

/** The patterns a pattern with `{a,b}` stands for. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = findBraces(next)
    if (group === undefined) done.push(next)
    else for (const choice of group.choices) open.push(group.before + choice + group.after)
    if (open.length + done.length > maxAlternatives) throw new Error(`Too many alternatives in "${pattern}"`)
  }
  return done
}

function findBraces(pattern: string): { before: string; choices: string[]; after: string } | undefined {
  const start = indexOfUnescaped(pattern, '{')
  if (start < 0) return undefined
  const choices: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (character === '{') depth++
    else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(from, at))
      from = at + 1
    } else if (character === '}' && --depth === 0) {
      choices.push(pattern.slice(from, at))
      return { before: pattern.slice(0, start), choices, after: pattern.slice(at + 1) }
    }
  }
  return undefined
}

function indexOfUnescaped(text: string, wanted: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === wanted) return at
  }
  return -1
}

async function walk(
  base: string,
  segments: readonly string[],
  found: Set<string>,
  budget: { left: number },
  depth: number,
): Promise<void> {
  const [segment, ...rest] = segments
  if (segment === undefined || depth > maxDepth) return
  if (segment === '**' && rest.length > 0) {
    await walk(base, rest, found, budget, depth)
    for (const entry of await entriesOf(base, budget)) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) {
        await walk(`${base}/${entry.name}`, segments, found, budget, depth + 1)
      }
    }
    return
  }
  if (!/[*?[]/.test(segment)) {
    const path = `${base}/${segment.replaceAll(/\\(.)/gs, '$1')}`
    if (rest.length > 0) await walk(path, rest, found, budget, depth)
    else if (await lstat(path).catch(() => undefined)) found.add(path)
    return
  }
  for (const entry of await entriesOf(base, budget)) {
    if (!matchesSegment(segment, entry.name)) continue
    const path = `${base}/${entry.name}`
    if (rest.length === 0) found.add(path)
    else if (entry.isDirectory() || entry.isSymbolicLink()) await walk(path, rest, found, budget, depth)
  }
}

/** A directory that is missing or may not be read has no entries, as in Ruby. */
async function entriesOf(path: string, budget: { left: number }): Promise<Dirent[]> {
  const entries = await readdir(path === '' ? '/' : path, { withFileTypes: true }).catch(() => [])
  budget.left -= entries.length
  if (budget.left < 0) throw new Error(`More than ${maxEntries} files to look at`)
  return entries
}
