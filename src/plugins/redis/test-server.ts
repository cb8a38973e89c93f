/** As much of a Redis server as the tests need: lists, channels, passwords, databases; in memory, for tests only. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { RespReader } from './resp-reader.ts'

type Reply = string | number | null | Error | Reply[]

function bytesOf(reply: Reply): string {
  if (reply === null) return '$-1\r\n'
  if (reply instanceof Error) return `-${reply.message}\r\n`
  if (typeof reply === 'number') return `:${reply}\r\n`
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(bytesOf).join('')}`
  return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`
}

interface Peer {
  readonly socket: Socket
  authenticated: boolean
  db: string
  readonly channels: Set<string>
  readonly patterns: Set<string>
}

export class TestRedis {
  /** Lists by `database/key`. */
  readonly lists = new Map<string, string[]>()
  /** Commands that came in, without their arguments. */
  readonly commands: string[] = []
  /** Answers given instead of doing the work, by command. */
  readonly refusals = new Map<string, string>()
  port = 0
  readonly #password: string | undefined
  readonly #peers = new Set<Peer>()
  readonly #scripts = new Set<string>()
  #server: Server | undefined

  private constructor(password: string | undefined) {
    this.#password = password
  }

  static async start(password?: string, listenOn: number | string = 0): Promise<TestRedis> {
    const redis = new TestRedis(password)
    redis.#server = createServer((socket) => redis.#serve(socket))
    if (typeof listenOn === 'string') redis.#server.listen(listenOn)
    else redis.#server.listen(listenOn, '127.0.0.1')
    await once(redis.#server, 'listening')
    const address = redis.#server.address() as AddressInfo | string
    redis.port = typeof address === 'string' ? 0 : address.port
    return redis
  }

  /** How many clients there are at the moment. */
  get connections(): number {
    return this.#peers.size
  }

  list(key: string, db = '0'): string[] {
    const name = `${db}/${key}`
    let list = this.lists.get(name)
    if (list === undefined) {
      list = []
      this.lists.set(name, list)
    }
    return list
  }

  publish(channel: string, message: string): number {
    let count = 0
    for (const { socket, channels, patterns } of this.#peers) {
      if (channels.has(channel)) {
        socket.write(bytesOf(['message', channel, message]))
        count += 1
      }
      for (const pattern of patterns) {
        if (!channel.startsWith(pattern.replace('*', ''))) continue
        socket.write(bytesOf(['pmessage', pattern, channel, message]))
        count += 1
      }
    }
    return count
  }

  get subscribers(): number {
    return [...this.#peers].filter(({ channels, patterns }) => channels.size + patterns.size > 0).length
  }

  forgetScripts(): void {
    this.#scripts.clear()
  }

  disconnectAll(): void {
    for (const { socket } of this.#peers) socket.destroy()
  }

  close(): void {
    this.disconnectAll()
    this.#server?.close()
  }

  #serve(socket: Socket): void {
    const reader = new RespReader()
    const peer: Peer = {
      socket,
      authenticated: this.#password === undefined,
      db: '0',
      channels: new Set(),
      patterns: new Set(),
    }
    this.#peers.add(peer)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#peers.delete(peer))
    socket.on('data', (chunk: Buffer) => {
      for (const value of reader.push(chunk)) {
        const [name = '', ...rest] = (value as Buffer[]).map(String)
        this.commands.push(name.toUpperCase())
        const reply = this.#answer(peer, name.toUpperCase(), rest)
        if (reply !== undefined) socket.write(bytesOf(reply))
      }
    })
  }

  #answer(peer: Peer, name: string, rest: string[]): Reply | undefined {
    const refusal = this.refusals.get(name)
    if (refusal !== undefined) return new Error(refusal)
    if (name === 'AUTH') {
      peer.authenticated = rest.at(-1) === this.#password
      return peer.authenticated ? 'OK' : new Error('WRONGPASS invalid username-password pair')
    }
    if (!peer.authenticated) return new Error('NOAUTH Authentication required.')
    const [key = '', ...values] = rest
    switch (name) {
      case 'PING':
        return 'PONG'
      case 'SELECT':
        peer.db = key
        return 'OK'
      case 'RPUSH':
        return this.list(key, peer.db).push(...values)
      case 'LPUSH':
        return this.list(key, peer.db).unshift(...values.reverse())
      case 'LLEN':
        return this.list(key, peer.db).length
      case 'PUBLISH':
        return this.publish(key, values[0] ?? '')
      case 'BLPOP':
        return this.#blockingPop(peer, key, Number(values[0]))
      case 'LMOVE':
        return this.#move(peer, key, values)
      case 'BLMOVE':
        return this.#blockingMove(peer, key, values)
      case 'LREM':
        return this.#removeFirst(peer, key, values[1]!)
      case 'EVALSHA':
        if (!this.#scripts.has(key)) return new Error('NOSCRIPT No matching script. Please use EVAL.')
        return this.list(values[1]!, peer.db).splice(0, Number(values[2]))
      case 'SCRIPT':
        this.#scripts.add('loaded')
        return 'loaded'
      case 'SUBSCRIBE':
        peer.channels.add(key)
        return ['subscribe', key, peer.channels.size]
      case 'PSUBSCRIBE':
        peer.patterns.add(key)
        return ['psubscribe', key, peer.patterns.size]
      default:
        return new Error(`ERR unknown command '${name}'`)
    }
  }

  #move(peer: Peer, from: string, [to = '', side, end]: readonly string[]): string | null {
    const list = this.list(from, peer.db)
    const item = side === 'LEFT' ? list.shift() : list.pop()
    if (item === undefined) return null
    if (end === 'LEFT') this.list(to, peer.db).unshift(item)
    else this.list(to, peer.db).push(item)
    return item
  }

  #blockingMove(peer: Peer, key: string, values: readonly string[]): undefined {
    const end = Date.now() + Number(values[3]) * 1000
    const look = () => {
      if (peer.socket.destroyed) return
      const item = this.#move(peer, key, values)
      if (item !== null) peer.socket.write(bytesOf(item))
      else if (Date.now() >= end) peer.socket.write('*-1\r\n')
      else setTimeout(look, 5)
    }
    look()
  }

  #removeFirst(peer: Peer, key: string, item: string): number {
    const list = this.list(key, peer.db)
    const at = list.indexOf(item)
    if (at >= 0) list.splice(at, 1)
    return at < 0 ? 0 : 1
  }

  #blockingPop(peer: Peer, key: string, seconds: number): Reply | undefined {
    const list = this.list(key, peer.db)
    const end = Date.now() + seconds * 1000
    const look = () => {
      if (peer.socket.destroyed) return
      const item = list.shift()
      if (item !== undefined) peer.socket.write(bytesOf([key, item]))
      else if (Date.now() >= end) peer.socket.write('*-1\r\n')
      else setTimeout(look, 5)
    }
    look()
    return undefined
  }
}
