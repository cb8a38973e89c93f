/**
 * Versions as one text. Browsers often have a fourth number that no expression captures; it is read from
 * the user agent itself. Names of Windows versions are words and are joined by blanks.
 */
import type { Versioned } from './parser.ts'

const number = /^\.(\d+)/

export function agentVersion(agent: Versioned, text: string): string | undefined {
  const { major, minor, patch, patchMinor } = agent
  if (major === undefined) return undefined
  if (minor === undefined) return major
  if (patch === undefined) return `${major}.${minor}`
  const three = `${major}.${minor}.${patch}`
  if (patchMinor !== undefined) return `${three}.${patchMinor}`
  const at = text.indexOf(three)
  const fourth = at < 0 ? undefined : number.exec(text.slice(at + three.length, at + three.length + 20))?.[1]
  return fourth === undefined ? three : `${three}.${fourth}`
}

export function systemVersion({ major, minor, patch, patchMinor }: Versioned): string | undefined {
  if (major === undefined) return undefined
  const parts = [major, minor, patch, patchMinor]
  const missing = parts.indexOf(undefined)
  return (missing < 0 ? parts : parts.slice(0, missing)).join(/^\d/.test(major) ? '.' : ' ')
}
