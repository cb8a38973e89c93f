/**
 * Where the file output may write: the path of an event, kept below the folder that the fixed start of the
 * path names. An event whose fields would lead elsewhere goes to a file for such failures inside that folder.
 */
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import type { Event } from '../../event/event.ts'
import type { Compile } from '../../plugin/compile.ts'

const placeholder = /%\{[^}]+\}/
const rememberedPaths = 1000

export interface FilePaths {
  /** True when the path depends on the event. */
  readonly dynamic: boolean
  readonly failurePath: string
  pathOf(event: Event): string
}

export function compileFilePaths(
  path: string,
  filenameFailure: string,
  compile: Compile,
  onEscape: (event: Event, failurePath: string) => void,
): FilePaths {
  const full = resolve(/^~(?=$|\/)/.test(path) ? homedir() + path.slice(1) : path)
  const first = placeholder.exec(full)
  if (first === null) {
    return { dynamic: false, failurePath: join(dirname(full), filenameFailure), pathOf: () => full }
  }
  const root = full.slice(0, full.lastIndexOf(sep, first.index))
  if (root === '') throw new Error('The starting part of the path should not be dynamic.')
  const failurePath = join(root, filenameFailure)
  const template = compile.template(full)
  const known = new Map<string, string | undefined>()

  const inside = (text: string): string | undefined => {
    if (text.includes('\0')) return undefined
    const resolved = resolve(text)
    return resolved.startsWith(root + sep) ? resolved : undefined
  }

  return {
    dynamic: true,
    failurePath,
    pathOf(event) {
      const text = template(event)
      let result = known.get(text)
      if (result === undefined && !known.has(text)) {
        result = inside(text)
        if (known.size >= rememberedPaths) known.clear()
        known.set(text, result)
      }
      if (result !== undefined) return result
      onEscape(event, failurePath)
      return failurePath
    },
  }
}
