/** The body of a request, up to a limit; the server's time limit for requests ends one that never comes. */
import type { IncomingMessage } from 'node:http'
import { HttpProblem } from './problem.ts'

export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      chunks.length = 0
      // What is still to come is read and forgotten when the answer has been sent.
      message.off('data', take).pause()
      reject(new HttpProblem(413, `the body is larger than ${limit} bytes`))
    }
    message.on('data', take)
    message.once('end', () => resolve(Buffer.concat(chunks)))
    message.once('error', reject)
    message.once('close', () => reject(new HttpProblem(400, 'the body came to no end')))
  })
}
