/**
 * The pattern library by set: the names every Logstash user knows, in the form they had before the Elastic
 * Common Schema (`legacy`) and with its field names (`ecs-v1`). The definitions are our own, written for V8.
 */
import * as ecsTopics from './ecs/index.ts'
import * as legacyTopics from './legacy/index.ts'

export type PatternSet = 'legacy' | 'ecs-v1'

const libraries = new Map<PatternSet, ReadonlyMap<string, string>>()

export function grokLibrary(set: PatternSet): ReadonlyMap<string, string> {
  let library = libraries.get(set)
  if (library === undefined) {
    const topics = set === 'legacy' ? legacyTopics : ecsTopics
    library = new Map(Object.values(topics).flatMap((topic) => Object.entries(topic)))
    libraries.set(set, library)
  }
  return library
}
