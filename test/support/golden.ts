/** What the real Logstash was observed to do, row by row. */
import { readFileSync } from 'node:fs'

export interface ConditionRow {
  expr: string
  /** JSON text. */
  event: string
  result: boolean | 'eval_error' | 'config_error' | 'crash'
}

export interface SprintfRow {
  template: string
  result?: string
  error?: string
}

export interface ParseRow {
  config: string
  ok: boolean
  message?: string
}

interface Golden {
  sprintf_event: string
  conditions: ConditionRow[]
  sprintf: SprintfRow[]
  parse: ParseRow[]
}

const file = new URL('../data/pipeline-golden.json', import.meta.url)
export const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden
