// Requests over a connection that stays open. Answers are read as bytes: what a client makes of them is not measured.
import { Agent, request } from 'node:http'

const ANSWER_LIMIT_MS = 120_000
const MAX_SAID_LENGTH = 300

export class Connection {
  #port
  #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(port) {
    this.#port = port
  }

  /** The bytes of the answer; rejects when the status is an error. */
  send({ method = 'POST', path, type = 'application/json', body }) {
    return new Promise((resolve, reject) => {
      const headers =
        body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
      const sent = request(
        { host: '127.0.0.1', port: this.#port, method, path, headers, agent: this.#agent },
        (answer) => {
          const pieces = []
          answer.on('data', (piece) => pieces.push(piece))
          answer.on('error', reject)
          answer.on('end', () => {
            const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
            if (answer.statusCode < 400) resolve(bytes)
            else
              reject(new Error(`${path}: ${answer.statusCode} ${bytes.toString('utf8', 0, MAX_SAID_LENGTH)}`))
          })
        },
      )
      sent.setTimeout(ANSWER_LIMIT_MS, () => sent.destroy(new Error(`${path}: no answer in time`)))
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async ask(given) {
    return JSON.parse((await this.send(given)).toString())
  }

  close() {
    this.#agent.destroy()
  }
}
