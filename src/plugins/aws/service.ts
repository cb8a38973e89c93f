/**
 * One service of AWS: operations by their names in the documentation of the service, answers as the SDK gives them. Says of
 * an error whether asking again can help.
 */
import type { PluginLogger } from '../../plugin/define.ts'
import { type ClientOptions, clientSettings } from './client-settings.ts'
import type { HttpHandler } from './http-handler.ts'
import { type LoadedService, loadService, type SdkClient, type ServiceName } from './packages.ts'

interface ServiceSettings {
  readonly service: ServiceName
  readonly options: ClientOptions
  readonly logger: PluginLogger
  /** Ends requests under way. */
  readonly abort?: AbortSignal
}

export class AwsService {
  readonly #loaded: LoadedService
  readonly #client: SdkClient
  readonly #handler: HttpHandler
  readonly #closing = new AbortController()
  readonly #signal: AbortSignal

  static async open({ service, options, logger, abort }: ServiceSettings): Promise<AwsService> {
    const loaded = await loadService(service)
    const { client, handler } = await clientSettings(options, logger)
    return new AwsService(loaded, new loaded.Client(client), handler, abort)
  }

  private constructor(
    loaded: LoadedService,
    client: SdkClient,
    handler: HttpHandler,
    abort: AbortSignal | undefined,
  ) {
    this.#loaded = loaded
    this.#client = client
    this.#handler = handler
    this.#signal = abort === undefined ? this.#closing.signal : AbortSignal.any([abort, this.#closing.signal])
  }

  async call<Output>(operation: string, input: object, signal?: AbortSignal): Promise<Output> {
    const Command = this.#loaded.command(operation)
    const command = new Command(input)
    if (signal === undefined) {
      return (await this.#client.send(command, { abortSignal: this.#signal })) as Output
    }
    // Listeners leave again: signals that are made of others would pile up on those that live long.
    const either = new AbortController()
    const end = () => either.abort()
    const sources = [signal, this.#signal]
    for (const source of sources) {
      if (source.aborted) end()
      source.addEventListener('abort', end, { once: true })
    }
    try {
      return (await this.#client.send(command, { abortSignal: either.signal })) as Output
    } finally {
      for (const source of sources) source.removeEventListener('abort', end)
    }
  }

  close(): void {
    this.#closing.abort()
    this.#client.destroy()
    this.#handler.destroy()
  }
}

interface SdkError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $retryable?: unknown
  readonly $fault?: string
}

const passing =
  /^(Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|RequestTimeout|RequestTimeTooSkewed|Expired|OverLimit|.*Throughput|PriorRequestNotComplete|KmsThrottled|.*InternalFailure)/

/** The service has answered, and would answer the same again: no such bucket, no rights, not a valid message. */
export function isRefusal(error: unknown): boolean {
  const { name, $metadata, $retryable } = error as SdkError
  const status = $metadata?.httpStatusCode ?? 0
  if (status < 300 || status >= 500 || status === 408 || status === 429) return false
  return $retryable === undefined && !passing.test(name)
}

/** What the log says of an error. */
export function errorFacts(error: unknown): Record<string, unknown> {
  const { name, message, $metadata, cause } = error as SdkError
  const status = $metadata?.httpStatusCode
  return {
    exception: name,
    message: message === '' && cause instanceof Error ? cause.message : message,
    ...(status !== undefined && { status }),
  }
}
