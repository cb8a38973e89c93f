/**
 * A connection to a Redis server: commands go out in order and their replies come back in that order. A
 * connection that subscribed to channels only receives from then on. It is never opened again by itself: when it
 * breaks, everything under way fails and whoever owns it decides.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { setUp } from '../delivery/socket-setup.ts'
import {
  commandBytes,
  type RespArgument,
  RespError,
  RespReader,
  type RespTooLong,
  type RespValue,
} from './resp-reader.ts'

export { type RespArgument, RespError, RespTooLong, type RespValue } from './resp-reader.ts'

interface RedisSettings {
  readonly host: string
  readonly port: number
  /** A Unix socket instead of host and port. */
  readonly path?: string | undefined
  readonly tls?: ConnectionOptions | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly db?: number | undefined
  /** Limits the opening of the connection, with authentication and all. */
  readonly connectMilliseconds: number
  /** Limits the wait for each reply; without it a reply may take for ever, as those of blocking commands do. */
  readonly replyMilliseconds?: number | undefined
  /** Ends the connection when a reply is waited for and nothing at all has come for so long. */
  readonly silenceMilliseconds?: number | undefined
  /** Commands that the server knows under another name. */
  readonly renamed?: ReadonlyMap<string, string> | undefined
}

interface RedisMessage {
  readonly channel: string
  readonly payload: Buffer | RespTooLong
}

interface Waiting {
  resolve(value: RespValue): void
  reject(error: Error): void
  timer: NodeJS.Timeout | undefined
}

export class RespClient {
  /** Resolves when the connection is closed, whatever the reason. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #settings: RedisSettings
  readonly #reader = new RespReader()
  readonly #waiting: Waiting[] = []
  #receive: ((message: RedisMessage) => void | Promise<void>) | undefined
  #failure: Error | undefined
  #silence: NodeJS.Timeout | undefined

  private constructor(socket: Socket, settings: RedisSettings) {
    this.#socket = socket
    this.#settings = settings
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 30_000)
    socket.on('error', (error) => {
      this.#failure ??= error
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#failAll(this.#failure ?? new Error('The Redis server closed the connection'))
        resolve()
      })
    })
    socket.on('data', (chunk: Buffer) => void this.#read(chunk))
  }

  /** Opens, authenticates, selects the database. */
  static async connect(settings: RedisSettings): Promise<RespClient> {
    const { host, port, path, tls, user, password, db = 0 } = settings
    const target = path === undefined ? { host, port } : { path }
    const servername = path === undefined && isIP(host) === 0 ? { servername: host } : {}
    const socket = tls === undefined ? connectPlain(target) : connectTls({ ...servername, ...tls, ...target })
    const milliseconds = settings.connectMilliseconds
    const limit = { milliseconds, message: `No connection to Redis after ${milliseconds} ms` }
    return setUp(socket, limit, async () => {
      await new Promise<void>((resolve, reject) => {
        socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve)
        socket.once('error', reject)
        socket.once('close', () => reject(new Error('The Redis server closed the connection')))
      })
      const client = new RespClient(socket, settings)
      if (password !== undefined) {
        await client.command('AUTH', ...(user === undefined ? [] : [user]), password)
      }
      if (db !== 0) await client.command('SELECT', db)
      return client
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#failure === undefined
  }

  /** Rejects with a RespError when the server refuses. */
  command(...command: RespArgument[]): Promise<RespValue> {
    return this.#send([command])[0]!
  }

  /** Several commands in one write; an error of one of them is a value of the result. */
  async pipeline(commands: readonly (readonly RespArgument[])[]): Promise<RespValue[]> {
    return Promise.all(
      this.#send(commands).map((reply) =>
        reply.catch((error: Error) => {
          if (error instanceof RespError) return error
          throw error
        }),
      ),
    )
  }

  #send(commands: readonly (readonly RespArgument[])[]): Promise<RespValue>[] {
    if (!this.isOpen) {
      return commands.map(() =>
        Promise.reject(this.#failure ?? new Error('The connection to Redis is closed')),
      )
    }
    const replies = commands.map(() => this.#expectReply())
    this.#socket.write(Buffer.concat(commands.map((command) => commandBytes(this.#rename(command)))))
    return replies
  }

  #expectReply(): Promise<RespValue> {
    const { replyMilliseconds } = this.#settings
    return new Promise((resolve, reject) => {
      const timer =
        replyMilliseconds === undefined
          ? undefined
          : setTimeout(
              () => this.#fail(new Error(`No reply of Redis after ${replyMilliseconds} ms`)),
              replyMilliseconds,
            )
      this.#waiting.push({ resolve, reject, timer })
      this.#watchSilence()
    })
  }

  /** Begins anew with everything that is sent or received while replies are waited for. */
  #watchSilence(): void {
    const { silenceMilliseconds } = this.#settings
    clearTimeout(this.#silence)
    if (silenceMilliseconds === undefined || this.#waiting.length === 0) return
    this.#silence = setTimeout(
      () => this.#fail(new Error(`Nothing came from Redis for ${silenceMilliseconds} ms`)),
      silenceMilliseconds,
    )
  }

  #rename(command: readonly RespArgument[]): readonly RespArgument[] {
    const { renamed } = this.#settings
    if (renamed === undefined || renamed.size === 0) return command
    const [name, ...rest] = command
    const known = String(name).toLowerCase()
    return [renamed.get(known) ?? renamed.get(known.toUpperCase()) ?? name!, ...rest]
  }

  /**
   * Receives messages from now on; nothing else can be asked on this connection. While `receive` has not
   * finished with a message, nothing further is read.
   */
  async subscribe(
    kind: 'SUBSCRIBE' | 'PSUBSCRIBE',
    channel: string,
    receive: (message: RedisMessage) => void | Promise<void>,
  ): Promise<void> {
    this.#receive = receive
    await this.command(kind, channel)
  }

  async #read(chunk: Buffer): Promise<void> {
    this.#socket.pause()
    try {
      for (const value of this.#reader.push(chunk)) {
        const message = this.#receive === undefined ? undefined : messageOf(value)
        if (message === undefined) this.#reply(value)
        else await this.#receive!(message)
      }
    } catch (error) {
      this.#fail(error as Error)
      return
    }
    this.#watchSilence()
    this.#socket.resume()
  }

  #reply(value: RespValue): void {
    const next = this.#waiting.shift()
    if (next === undefined) return
    clearTimeout(next.timer)
    if (value instanceof RespError) next.reject(value)
    else next.resolve(value)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#socket.destroy()
  }

  #failAll(error: Error): void {
    clearTimeout(this.#silence)
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(error)
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** A list `message, channel, payload` or `pmessage, pattern, channel, payload`. */
function messageOf(value: RespValue): RedisMessage | undefined {
  if (!Array.isArray(value)) return undefined
  const kind = String(value[0])
  if (kind === 'message') return { channel: String(value[1]), payload: value[2] as Buffer | RespTooLong }
  if (kind === 'pmessage') return { channel: String(value[2]), payload: value[3] as Buffer | RespTooLong }
  return undefined
}
