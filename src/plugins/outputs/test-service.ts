/** An HTTP service over a loopback socket, for tests only: keeps what it was sent, answers what it is told. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface GivenAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export class TestService {
  readonly seen: SeenRequest[] = []
  /** Answers by request number; the last one is repeated. */
  answers: (GivenAnswer | ((request: SeenRequest) => GivenAnswer))[] = [{ status: 204 }]
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const url = new URL(request.url!, 'http://x')
        const seen = {
          method: request.method!,
          path: url.pathname,
          parameters: Object.fromEntries(url.searchParams),
          headers: request.headers,
          body: Buffer.concat(chunks),
        }
        this.seen.push(seen)
        const given = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!
        const { status, headers = {}, body = '' } = typeof given === 'function' ? given(seen) : given
        response.writeHead(status, headers).end(body)
      })
    })
  }

  static async start(): Promise<TestService> {
    const made = new TestService()
    await new Promise<void>((resolve) => made.#server.listen(0, '127.0.0.1', resolve))
    return made
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  bodies(): string[] {
    return this.seen.map(({ body }) => body.toString('utf8'))
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
