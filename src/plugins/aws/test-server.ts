/**
 * A stand-in for AWS on the loopback interface, for tests only: as much of S3, SQS, SNS, CloudWatch and Kinesis as the plugins
 * use, spoken as the SDK speaks it. It can be away: connections are then cut without an answer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { TestBuckets } from './test-buckets.ts'

/** Waits until something holds, on slow machines too. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 })
}

interface JsonCall {
  /** E.g. `AmazonSQS.SendMessage`. */
  readonly target: string
  readonly input: Record<string, unknown>
}

interface Refusal {
  readonly status: number
  readonly code: string
}

type Handler = (input: Record<string, unknown>) => unknown

export class TestAws {
  /** What the services with a JSON protocol were asked. */
  readonly calls: JsonCall[] = []
  /** What SNS was asked. */
  readonly forms: URLSearchParams[] = []
  readonly buckets = new TestBuckets()
  /** Answers of the services with a JSON protocol, by target; a thrown `Refusal` is an error of the service. */
  readonly handlers = new Map<string, Handler>()
  /** Next error of SNS. */
  snsRefusal: Refusal | undefined
  isAway = false
  /** Requests wait for `letGo`. */
  holdsBack = false
  readonly #heldBack: (() => void)[] = []
  #server: Server | undefined

  static async start(): Promise<TestAws> {
    const aws = new TestAws()
    const server = createServer((request, response) => void aws.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    aws.#server = server
    return aws
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`
  }

  /** Options of a plugin that talks to this server. */
  get options() {
    return { endpoint: this.url, access_key_id: 'AKIATEST', secret_access_key: 'secret' }
  }

  /** Inputs of one operation, in their order. */
  inputsOf(operation: string): Record<string, unknown>[] {
    return this.calls.filter(({ target }) => target.endsWith(`.${operation}`)).map(({ input }) => input)
  }

  /** How many requests wait. */
  get heldBack(): number {
    return this.#heldBack.length
  }

  letGo(): void {
    this.holdsBack = false
    for (const go of this.#heldBack.splice(0)) go()
  }

  async close(): Promise<void> {
    this.letGo()
    this.#server!.closeAllConnections()
    await new Promise((resolve) => this.#server!.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (this.holdsBack) await new Promise<void>((resolve) => this.#heldBack.push(resolve))
    if (this.isAway) {
      request.socket.destroy()
      return
    }
    if (!String(request.headers.authorization).startsWith('AWS4-HMAC-SHA256 Credential=AKIATEST/')) {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return
    }
    const target = request.headers['x-amz-target']
    if (typeof target === 'string') this.#answerJson(target, body, response)
    else if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      this.#answerForm(new URLSearchParams(body.toString()), response)
    } else this.buckets.answer(request, body, response)
  }

  #answerJson(target: string, body: Buffer, response: ServerResponse): void {
    const input = JSON.parse(body.toString()) as Record<string, unknown>
    this.calls.push({ target, input })
    const operation = target.slice(target.lastIndexOf('.') + 1)
    try {
      const answer = this.handlers.get(operation)?.(input) ?? {}
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer))
    } catch (error) {
      const { status, code } = error as Refusal
      response
        .writeHead(status ?? 500, { 'content-type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify({ __type: code ?? 'InternalFailure', message: code ?? String(error) }))
    }
  }

  #answerForm(form: URLSearchParams, response: ServerResponse): void {
    this.forms.push(form)
    const refusal = this.snsRefusal
    this.snsRefusal = undefined
    if (refusal !== undefined) {
      const error = `<Error><Type>Sender</Type><Code>${refusal.code}</Code><Message>${refusal.code}</Message></Error>`
      response
        .writeHead(refusal.status, { 'content-type': 'text/xml' })
        .end(`<ErrorResponse>${error}</ErrorResponse>`)
      return
    }
    const result = '<PublishResult><MessageId>1</MessageId></PublishResult>'
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(`<PublishResponse>${result}</PublishResponse>`)
  }
}
