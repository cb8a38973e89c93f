/**
 * Names and numbers out of MIB modules as the standards print them (SMIv1 and SMIv2). Only what names an OID is read:
 *
 *   name OBJECT IDENTIFIER ::= { parent 1 }
 *   name OBJECT-TYPE … SYNTAX INTEGER { up(1), down(2) } … ::= { parent 1 }
 *   name TRAP-TYPE ENTERPRISE parent … ::= 1
 *
 * A module is cut into words in one pass; what it imports is found when all modules are read.
 */
export interface Definition {
  readonly name: string
  readonly module: string
  /** Where the OID begins: another name, or nothing when it is all numbers. */
  readonly parent: string | undefined
  readonly numbers: readonly number[]
  readonly labels: ReadonlyMap<number, string> | undefined
}

const macros = new Set([
  'OBJECT-TYPE',
  'MODULE-IDENTITY',
  'OBJECT-IDENTITY',
  'NOTIFICATION-TYPE',
  'OBJECT-GROUP',
  'NOTIFICATION-GROUP',
  'MODULE-COMPLIANCE',
  'AGENT-CAPABILITIES',
  'TRAP-TYPE',
])

const maxDepth = 128

/** Words without comments and texts. */
function wordsOf(text: string): string[] {
  return (
    text
      .match(/--(?:(?!--)[^\n])*(?:--|(?=\n)|$)|"[^"]*"|::=|[{}(),;|]|[\w.-]+|[^\s]/g)
      ?.filter((word) => !/^(--|")/.test(word)) ?? []
  )
}

export function readModules(text: string): Definition[] {
  const words = wordsOf(text)
  const definitions: Definition[] = []
  let module = ''
  let open: { name: string; macro: string } | undefined
  let labels: Map<number, string> | undefined
  let enterprise: string | undefined
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const before = words[i - 1] ?? ''
    if (word === 'DEFINITIONS') module = before
    else if (word === 'MACRO') {
      while (i < words.length && words[i] !== 'END') i += 1
      open = undefined
    } else if (
      /^[a-z]/.test(before) &&
      (macros.has(word) || (word === 'OBJECT' && words[i + 1] === 'IDENTIFIER'))
    ) {
      open = { name: before, macro: word }
      labels = undefined
      enterprise = undefined
    } else if (word === 'ENTERPRISE') enterprise = words[i + 1]
    else if (word === 'SYNTAX' && open !== undefined) labels = labelsAt(words, i + 1) ?? labels
    else if (word === '::=' && open !== undefined) {
      const { name, macro } = open
      open = undefined
      if (macro === 'TRAP-TYPE') {
        const number = Number(words[i + 1])
        if (enterprise !== undefined && Number.isInteger(number))
          definitions.push({ name, module, parent: enterprise, numbers: [0, number], labels: undefined })
        continue
      }
      const found = oidAt(words, i + 1)
      if (found !== undefined) definitions.push({ name, module, ...found, labels })
    }
  }
  return definitions
}

/** `INTEGER { up(1), down(2) }`, from the word after SYNTAX. */
function labelsAt(words: readonly string[], from: number): Map<number, string> | undefined {
  if (words[from] !== 'INTEGER' || words[from + 1] !== '{') return undefined
  const labels = new Map<number, string>()
  for (let i = from + 2; i < words.length && words[i] !== '}'; i++) {
    if (words[i + 1] !== '(') continue
    const number = Number(words[i + 2])
    if (Number.isInteger(number)) labels.set(number, words[i]!)
    i += 3
  }
  return labels
}

/** `{ parent 1 }`, `{ iso org(3) 6 }`, `{ 1 3 6 }`. */
function oidAt(
  words: readonly string[],
  from: number,
): { parent: string | undefined; numbers: number[] } | undefined {
  if (words[from] !== '{') return undefined
  const numbers: number[] = []
  let parent: string | undefined
  for (let i = from + 1; i < words.length && words[i] !== '}'; i++) {
    const word = words[i]!
    if (/^\d+$/.test(word)) numbers.push(Number(word))
    else if (words[i + 1] === '(') {
      numbers.push(Number(words[i + 2]))
      i += 3
    } else if (numbers.length === 0 && parent === undefined) parent = word
    else return undefined
    if (numbers.length > maxDepth || numbers.some((number) => !Number.isInteger(number))) return undefined
  }
  return { parent, numbers }
}

const roots: ReadonlyMap<string, readonly number[]> = new Map([
  ['ccitt', [0]],
  ['iso', [1]],
  ['joint-iso-ccitt', [2]],
])

/** The OID of each definition whose parents are known. */
export function resolveDefinitions(definitions: readonly Definition[]): [Definition, number[]][] {
  const byName = new Map<string, Definition>()
  const own = new Map<string, Definition>()
  for (const definition of definitions) {
    if (!byName.has(definition.name)) byName.set(definition.name, definition)
    own.set(`${definition.module}::${definition.name}`, definition)
  }
  const known = new Map<Definition, readonly number[] | undefined>()
  const oidOf = (definition: Definition, depth: number): readonly number[] | undefined => {
    if (known.has(definition)) return known.get(definition)
    known.set(definition, undefined)
    const { parent, numbers, module } = definition
    let base: readonly number[] | undefined = []
    if (parent !== undefined) {
      const found = own.get(`${module}::${parent}`) ?? byName.get(parent)
      base = found !== undefined && depth < maxDepth ? oidOf(found, depth + 1) : undefined
      base ??= roots.get(parent)
    }
    const oid = base === undefined ? undefined : [...base, ...numbers]
    known.set(definition, oid)
    return oid
  }
  const resolved: [Definition, number[]][] = []
  for (const definition of definitions) {
    const oid = oidOf(definition, 0)
    if (oid !== undefined) resolved.push([definition, [...oid]])
  }
  return resolved
}
