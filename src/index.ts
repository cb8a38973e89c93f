/** The library's door: write plugins, start a node from a program. */
import { MillraceNode, startEarly } from './node.ts'
import { readSettings } from './settings/read-settings.ts'

export { Event } from './event/event.ts'
export { Timestamp } from './event/timestamp.ts'
export type { MillraceNode } from './node.ts'
export type * from './plugin/define.ts'
export { defineCodec, defineFilter, defineInput, defineOutput, option } from './plugin/define.ts'

export interface StartOptions {
  /** Logstash's command line, e.g. `['-f', 'pipeline.conf', '--api.http.port', '0']`. */
  args: readonly string[]
  /** Folder that `config` and `data` are under by default. */
  home?: string
}

/** Starts a node inside this process; `node.stop(0)` drains and closes it. */
export async function start({ args, home = process.cwd() }: StartOptions): Promise<MillraceNode> {
  const early = startEarly()
  try {
    const settings = await readSettings({ argv: args, env: process.env, home })
    return await MillraceNode.start(settings, early)
  } catch (error) {
    await early.thread.terminate()
    throw error
  }
}
