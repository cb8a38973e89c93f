/**
 * How much memory the process may use when nobody says so: what its control group (version 1 or 2) allows, or what the
 * machine has. `docs/decisions/0020-memory-ceiling.md` says why these shares.
 */
import { totalmem } from 'node:os'

/** The rest is for what cannot be counted in time, and for the page cache that belongs to the same group. */
const shareOfGroup = 0.8
/** Others live on the machine, too. */
const shareOfMachine = 0.5
/** Less does not run at all. */
const minLimit = 128 * 1024 * 1024

/** The size of a control group that has a limit by itself: whoever sets one means a machine of that size. */
export function groupOfLimit(limit: number): number {
  return limit / shareOfGroup
}

/** `group`: bytes, 0 or more than the machine has where there is none. */
export function standardLimit(group = process.constrainedMemory(), machine = totalmem()): number {
  const isLimited = group > 0 && group < machine
  return Math.max(minLimit, Math.floor(isLimited ? group * shareOfGroup : machine * shareOfMachine))
}
