/** `Dir.glob` and its relatives: names of files, sorted; nothing is changed. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { textArgument } from '../arguments.ts'
import { argumentError, raise } from '../errors.ts'
import { defineStatics, newClass, type RubyValue } from '../ruby-class.ts'

const maxFound = 100_000
const special = /[*?[\]{}]/

/** `a{b,c}` as two patterns; braces may be nested. */
function alternatives(pattern: string): string[] {
  const close = pattern.indexOf('}')
  const open = close < 0 ? -1 : pattern.lastIndexOf('{', close)
  if (open < 0) return [pattern]
  const [before, inside, after] = [
    pattern.slice(0, open),
    pattern.slice(open + 1, close),
    pattern.slice(close + 1),
  ]
  return inside.split(',').flatMap((part) => alternatives(before + part + after))
}

/** One name against one part of a pattern; a dot at the beginning must be written. */
function fits(part: string, name: string, p = 0, n = 0): boolean {
  if (n === 0 && p === 0 && name.startsWith('.') && !part.startsWith('.')) return false
  let [at, in_, star, mark] = [p, n, -1, 0]
  while (in_ < name.length) {
    const set = part[at] === '[' ? /^\[(\^?)([^\]]+)\]/.exec(part.slice(at)) : null
    if (part[at] === '*') {
      star = at++
      mark = in_
    } else if (
      set !== null
        ? inSet(set[2]!, name[in_]!) !== (set[1] === '^')
        : at < part.length && (part[at] === '?' || part[at] === name[in_])
    ) {
      at += set === null ? 1 : set[0].length
      in_ += 1
    } else if (star >= 0) {
      at = star + 1
      in_ = ++mark
    } else return false
  }
  while (part[at] === '*') at += 1
  return at === part.length
}

function inSet(set: string, character: string): boolean {
  for (let i = 0; i < set.length; i++) {
    if (set[i + 1] === '-' && i + 2 < set.length) {
      if (character >= set[i]! && character <= set[i + 2]!) return true
      i += 2
    } else if (set[i] === character) return true
  }
  return false
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder === '' ? '.' : folder).sort()
  } catch {
    return []
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function exists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch {
    return false
  }
}

function search(folder: string, parts: readonly string[], found: string[]): void {
  if (found.length >= maxFound) raise(argumentError, `more than ${maxFound} files`)
  const [part, ...rest] = parts
  if (part === undefined) {
    found.push(folder)
    return
  }
  const below = (name: string): string =>
    folder === '' ? name : folder === '/' ? `/${name}` : `${folder}/${name}`
  if (part === '**') {
    search(folder, rest, found)
    for (const name of namesIn(folder))
      if (!name.startsWith('.') && isFolder(below(name))) search(below(name), parts, found)
  } else if (!special.test(part)) {
    if (exists(below(part))) search(below(part), rest, found)
  } else {
    for (const name of namesIn(folder)) {
      if (fits(part, name) && (rest.length === 0 || isFolder(below(name)))) search(below(name), rest, found)
    }
  }
}

function globbed(pattern: string): string[] {
  const found: string[] = []
  for (const one of alternatives(pattern)) {
    const parts = one.split('/').filter((part) => part !== '')
    search(one.startsWith('/') ? '/' : '', parts, found)
  }
  return found
}

function patterns(value: RubyValue | undefined): string[] {
  return Array.isArray(value) ? value.map((one) => textArgument(one)) : [textArgument(value)]
}

defineStatics(newClass('Dir'), {
  'exist?,exists? 1': (_, [path]) => isFolder(textArgument(path)),
  'empty? 1': (_, [path]) => isFolder(textArgument(path)) && namesIn(textArgument(path)).length === 0,
  'glob 1-3': (_, [pattern], block) => {
    const found = patterns(pattern).flatMap(globbed)
    if (block === null) return found
    for (const path of found) block.one(path)
    return null
  },
  '[] *': (_, given) => given.flatMap(patterns).flatMap(globbed),
  'children 1': (_, [path]) => namesIn(textArgument(path)),
  'entries 1': (_, [path]) => ['.', '..', ...namesIn(textArgument(path))],
  'each_child 1': (_, [path], block) => {
    for (const name of namesIn(textArgument(path))) block?.one(name)
    return null
  },
  'pwd,getwd': () => process.cwd(),
  home: () => process.env['HOME'] ?? join('/'),
})
