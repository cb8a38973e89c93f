/** The colour of the node, in every body: that of its health report. */

import type { NodeView } from '../view.ts'
import { nodeHealth } from './health-node.ts'
import type { HealthStatus } from './health-status.ts'

export const colours = ['green', 'yellow', 'red'] as const
export type Colour = (typeof colours)[number]

export function nodeStatus(node: NodeView): HealthStatus {
  return nodeHealth(node).status
}

/** Nobody can say that an unknown health is good enough. */
export function isAtLeast(status: HealthStatus, wanted: Colour): boolean {
  return status !== 'unknown' && colours.indexOf(status) <= colours.indexOf(wanted)
}
