/** What a user agent says, with the definitions of uap-core, for those who ask without waiting. */
import { readFileSync } from 'node:fs'
import { builtInDefinitions, parseDefinitions } from './definitions.ts'
import { UserAgentParser, type Versioned } from './parser.ts'

interface Facts {
  readonly agent: { readonly name: string | undefined; readonly version: readonly string[] }
  readonly system: { readonly name: string | undefined; readonly version: readonly string[] }
  readonly device: string | undefined
}

let parser: UserAgentParser | undefined

const maxKnown = 1000
const known = new Map<string, Facts>()

/** The definitions are read by the first call; the last user agents are remembered. */
export function userAgentFacts(text: string): Facts {
  const before = known.get(text)
  if (before !== undefined) return before
  parser ??= new UserAgentParser(parseDefinitions(readFileSync(builtInDefinitions(), 'utf8')))
  const { agent, system, device } = parser.parse(text)
  const facts = { agent: named(agent), system: named(system), device: recognised(device) }
  if (known.size >= maxKnown) known.delete(known.keys().next().value!)
  known.set(text, facts)
  return facts
}

/** Nothing that was recognised is called `Other`. */
function recognised(name: string): string | undefined {
  return name === 'Other' ? undefined : name
}

function named({ family, major, minor, patch, patchMinor }: Versioned): Facts['agent'] {
  const parts = [major, minor, patch, patchMinor]
  const missing = parts.indexOf(undefined)
  const version = (missing < 0 ? parts : parts.slice(0, missing)) as string[]
  return { name: recognised(family), version }
}
