/** The colour of the node: that of its worst pipeline. */
import type { PipelineStatus } from '../../agent/pipeline-state.ts'
import { type AgentView, userPipelines } from './view.ts'

export const colours = ['green', 'yellow', 'red'] as const
export type Colour = (typeof colours)[number]

const colourOf: Readonly<Record<PipelineStatus, Colour>> = {
  running: 'green',
  starting: 'yellow',
  finished: 'yellow',
  stopped: 'yellow',
  crashed: 'red',
  failed: 'red',
}

export function nodeStatus(agent: AgentView): Colour {
  const worst = Math.max(0, ...userPipelines(agent).map(({ status }) => colours.indexOf(colourOf[status])))
  return colours[worst] ?? 'green'
}

export function isAtLeast(colour: Colour, wanted: Colour): boolean {
  return colours.indexOf(colour) <= colours.indexOf(wanted)
}
