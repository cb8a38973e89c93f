/**
 * Accounts for the memory of one segment builder: shared arrays from the slab pool, counted as they are allocated
 * and not as they are filled. A builder takes several times the text of its documents, so this is what the index
 * buffer limit has to look at.
 */
import { slabPool } from '../../../memory/slab-pool.ts'

export class BuilderMemory {
  /** Bytes allocated now, plus an estimate of its objects on the heap. */
  bytes = 0

  /** Returns at least as many bytes; they are not zeroed. */
  take(bytes: number): SharedArrayBuffer {
    const memory = slabPool.take(bytes)
    this.bytes += memory.byteLength
    return memory
  }

  /**
   * Stops counting memory that the builder has outgrown; readers may still use it, so it does not go back to the
   * pool.
   */
  drop(memory: ArrayBufferLike): void {
    this.bytes -= memory.byteLength
  }

  /** Returns memory to the pool at once; only the builder may have seen it. */
  giveBack(memory: ArrayBufferLike): void {
    this.drop(memory)
    if (memory instanceof SharedArrayBuffer) slabPool.giveBack(memory)
  }
}

/** Allocates from the builder's memory, or from the heap of this thread where there is no builder. */
export function memoryFrom(builder: BuilderMemory | undefined, bytes: number): ArrayBufferLike {
  return builder === undefined ? new ArrayBuffer(bytes) : builder.take(bytes)
}
