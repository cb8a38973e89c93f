/** A request body on its way through: streamed, and ended with an error when it has more bytes than allowed. */
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { HttpProblem } from '../../../http/problem.ts'

export class BoundedBody extends Transform {
  readonly #limit: number
  #size = 0
  /** Set once it is over the limit. */
  problem: HttpProblem | undefined

  constructor(source: Readable, limit: number) {
    super()
    this.#limit = limit
    source.on('error', (error) => this.destroy(error))
    source.on('close', () => {
      if (!source.readableEnded) this.destroy(new Error('the body came to no end'))
    })
    source.pipe(this)
  }

  override _transform(chunk: Buffer, _: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.#size += chunk.length
    if (this.#size <= this.#limit) return done(null, chunk)
    this.problem = new HttpProblem(413, `the body is larger than ${this.#limit} bytes`)
    done(this.problem)
  }
}
