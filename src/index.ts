/** The library's door: write plugins, start a node or a search endpoint from a program. */
import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { MillraceNode as NodeInProcess, startEarly } from './node.ts'
import { readSettings } from './settings/read-settings.ts'

export type { Endpoint, EndpointOptions } from './endpoint.ts'
export { Event } from './event/event.ts'
export { Timestamp } from './event/timestamp.ts'
export type * from './plugin/define.ts'
export { defineCodec, defineFilter, defineInput, defineOutput, option } from './plugin/define.ts'

export interface NodeOptions {
  /** Logstash's command line, e.g. `['-f', 'pipeline.conf', '--api.http.port', '0']`. */
  args: readonly string[]
  /** Folder that `config` and `data` are under by default. */
  home?: string
}

/** A node inside this process. Its declaration needs no types of Node, so that any program can be checked against it. */
export interface MillraceNode {
  /** The exit code, once everything is closed. */
  readonly exit: Promise<number>
  /** Address of the monitoring API, when it is on. */
  readonly apiAddress: string | undefined
  /** Address of the search API, once it answers. */
  readonly searchAddress: string | undefined
  /** Resolves when the search API answers; undefined when it is switched off. */
  searchReady(): Promise<string | undefined>
  /** One pass over the configuration, as the poll or a SIGHUP asks for it. */
  reload(): Promise<void>
  /** Drains the pipelines and closes everything; resolves with the exit code. */
  stop(code: number): Promise<number>
}

/** An Elasticsearch-compatible endpoint on a free port; `endpoint.stop()` ends it. */
export async function start(options?: EndpointOptions): Promise<Endpoint>
/** A node inside this process; `node.stop(0)` drains and closes it. */
export async function start(options: NodeOptions): Promise<MillraceNode>
export async function start(options: NodeOptions | EndpointOptions = {}): Promise<MillraceNode | Endpoint> {
  if (!('args' in options)) {
    const { startEndpoint } = await import('./endpoint.ts')
    return startEndpoint(options)
  }
  const { args, home = process.cwd() } = options
  const early = startEarly()
  try {
    const settings = await readSettings({ argv: args, env: process.env, home })
    return await NodeInProcess.start(settings, early)
  } catch (error) {
    await early.thread.terminate()
    throw error
  }
}
