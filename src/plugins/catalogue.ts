/**
 * The built-in plugins, by type and name. Each is loaded when a configuration names it, so a start
 * costs only what the configuration uses.
 */
import type { PluginDefinition, PluginType } from '../plugin/define.ts'
import type { PluginSource } from '../plugin/registry.ts'

type Load = () => Promise<{ default: PluginDefinition }>

const inputs: Record<string, Load> = {
  file: () => import('./inputs/file.ts'),
  generator: () => import('./inputs/generator.ts'),
  heartbeat: () => import('./inputs/heartbeat.ts'),
  http: () => import('./inputs/http.ts'),
  pipeline: () => import('./inputs/pipeline.ts'),
  stdin: () => import('./inputs/stdin.ts'),
  tcp: () => import('./inputs/tcp.ts'),
  udp: () => import('./inputs/udp.ts'),
}

const filters: Record<string, Load> = {
  clone: () => import('./filters/clone.ts'),
  date: () => import('./filters/date.ts'),
  drop: () => import('./filters/drop.ts'),
  grok: () => import('./filters/grok.ts'),
  json: () => import('./filters/json.ts'),
  mutate: () => import('./filters/mutate.ts'),
  noop: () => import('./filters/noop.ts'),
  sleep: () => import('./filters/sleep.ts'),
  split: () => import('./filters/split.ts'),
}

const outputs: Record<string, Load> = {
  file: () => import('./outputs/file.ts'),
  http: () => import('./outputs/http.ts'),
  null: () => import('./outputs/null.ts'),
  pipeline: () => import('./outputs/pipeline.ts'),
  sink: () => import('./outputs/sink.ts'),
  stdout: () => import('./outputs/stdout.ts'),
  tcp: () => import('./outputs/tcp.ts'),
  udp: () => import('./outputs/udp.ts'),
}

const codecs: Record<string, Load> = {
  dots: () => import('./codecs/dots.ts'),
  json: () => import('./codecs/json.ts'),
  json_lines: () => import('./codecs/json-lines.ts'),
  line: () => import('./codecs/line.ts'),
  plain: () => import('./codecs/plain.ts'),
  rubydebug: () => import('./codecs/rubydebug.ts'),
}

const tables: Record<PluginType, Record<string, Load>> = {
  input: inputs,
  filter: filters,
  output: outputs,
  codec: codecs,
}

export const catalogue: PluginSource = {
  names: (type) => Object.keys(tables[type]),
  load: async (type, name) => {
    const table = tables[type]
    return Object.hasOwn(table, name) ? (await table[name]!()).default : undefined
  },
}
