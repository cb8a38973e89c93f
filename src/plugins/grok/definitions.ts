/**
 * The definitions a grok filter knows: the library of its set, then its pattern files, then the ones
 * written in the configuration. Filters that add nothing share the library's own table.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Value } from '../../event/value.ts'
import { grokLibrary } from '../../grok/library/index.ts'
import { readPatternFile } from '../../grok/pattern-file.ts'
import type { EcsCompatibility, HashValue } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { globSync } from '../../storage/glob-sync.ts'

interface DefinitionSources {
  readonly patterns_dir: readonly Value[]
  readonly patterns_files_glob: string
  readonly pattern_definitions: HashValue
}

/** A pattern file of this size is no pattern file. */
const maxFileBytes = 16 * 1024 * 1024

export function definitionsFor(
  { patterns_dir, patterns_files_glob, pattern_definitions }: DefinitionSources,
  ecs: EcsCompatibility,
): ReadonlyMap<string, string> {
  const library = grokLibrary(ecs === 'disabled' ? 'legacy' : 'ecs-v1')
  if (patterns_dir.length === 0 && pattern_definitions.size === 0) return library
  const definitions = new Map(library)
  for (const path of patternFiles(patterns_dir.map(textOf), patterns_files_glob)) {
    for (const [name, definition] of readPatternFile(readFileSync(path, 'utf8')))
      definitions.set(name, definition)
  }
  for (const [name, definition] of pattern_definitions)
    definitions.set(name, textOf(definition).replace(/\r?\n$/, ''))
  return definitions
}

/** Folders are searched by the glob, not their subfolders; anything else is a file or a glob itself. */
function patternFiles(paths: readonly string[], glob: string): string[] {
  return paths
    .flatMap((path) =>
      globSync(statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, glob) : path),
    )
    .filter((path) => {
      const status = statSync(path, { throwIfNoEntry: false })
      return status?.isFile() === true && status.size <= maxFileBytes
    })
}
