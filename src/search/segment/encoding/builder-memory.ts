/**
 * The memory of one segment builder: arrays that threads can share, taken from the pool of slabs and counted whole, as
 * they are allocated and not as they are filled. What a builder costs is several times the text of its documents.
 */
import { slabPool } from '../../../memory/slab-pool.ts'

export class BuilderMemory {
  /** Allocated now, plus what its objects on the heap take, about. */
  bytes = 0

  /** At least as many bytes; what they are is whatever was there before. */
  take(bytes: number): SharedArrayBuffer {
    const memory = slabPool.take(bytes)
    this.bytes += memory.byteLength
    return memory
  }

  /** The builder moved to larger memory; those who read may still see this one. */
  drop(memory: ArrayBufferLike): void {
    this.bytes -= memory.byteLength
  }

  /** Gives memory back at once: nobody but the builder has seen it. */
  giveBack(memory: ArrayBufferLike): void {
    this.drop(memory)
    if (memory instanceof SharedArrayBuffer) slabPool.giveBack(memory)
  }
}

/** Memory of a builder, or of the thread alone where there is none. */
export function memoryFrom(builder: BuilderMemory | undefined, bytes: number): ArrayBufferLike {
  return builder === undefined ? new ArrayBuffer(bytes) : builder.take(bytes)
}
