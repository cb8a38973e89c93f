/** Tries all blocks of a write, whatever becomes of some of them; rejects with the targets nothing can be done for. */
import { type Block, Undelivered } from '../../plugin/define.ts'

export async function writeEach(
  blocks: readonly Block[],
  write: (block: Block) => Promise<void>,
): Promise<void> {
  const targets: string[] = []
  let reason = ''
  for (const block of blocks) {
    try {
      await write(block)
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error
      reason ||= error.message
      targets.push(block.target)
    }
  }
  if (targets.length > 0) throw new Undelivered(reason, targets)
}
