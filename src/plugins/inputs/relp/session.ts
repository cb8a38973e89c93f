/**
 * One RELP session: opened by the client, then messages, each answered when its events are safe, in whatever order that
 * is. A bounded number of messages is under way; until one of them is answered nothing more is read.
 */
import type { Socket } from 'node:net'
import type { PluginLogger } from '../../../plugin/define.ts'
import { frameBytes, RelpError, type RelpFrame, RelpFrames, readOffer } from './frames.ts'

/** librelp's window is 128; more than this are never under way. */
const maxUnderWay = 1024
const software = 'logstash,1.1.1,http://logstash.net'

interface SessionSettings {
  readonly logger: PluginLogger
  /** Hands a message over; resolves when the queue has room for more, `done` is called when its events are safe. */
  accept(message: Buffer, done: () => void): void | Promise<void>
}

export class RelpSession {
  /** Resolves when the connection is over. */
  readonly ended: Promise<void>
  readonly #socket: Socket
  readonly #settings: SessionSettings
  readonly #peer: string
  #isOpen = false
  #isClosing = false
  #underWay = 0
  #wake: (() => void)[] = []

  constructor(socket: Socket, settings: SessionSettings) {
    this.#socket = socket
    this.#settings = settings
    this.#peer = `${socket.remoteAddress}:${socket.remotePort}`
    socket.on('error', () => undefined)
    this.ended = this.#run()
  }

  async #run(): Promise<void> {
    const { logger } = this.#settings
    const frames = new RelpFrames()
    logger.debug(`Relp Connection to ${this.#peer} created`)
    try {
      // What is no frame is answered before the connection ends.
      const chunks = this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
      for await (const chunk of chunks) {
        for (const frame of frames.push(chunk)) {
          if (!(await this.#take(frame))) return
        }
      }
    } catch (error) {
      if (error instanceof RelpError) {
        logger.warn(`Relp error: ${error.message}`, { client: this.#peer })
        this.#send(frameBytes(0, 'serverclose'))
      }
    } finally {
      this.#isClosing = true
      this.#socket.end()
      for (const wake of this.#wake.splice(0)) wake()
      logger.debug(`Relp Connection to ${this.#peer} Closed`)
    }
  }

  /** False when the session is over. */
  async #take(frame: RelpFrame): Promise<boolean> {
    const { number, command, data } = frame
    if (!this.#isOpen) return this.#open(frame)
    if (command === 'close') {
      await this.idle()
      this.#send(frameBytes(number, 'rsp'))
      this.#send(frameBytes(0, 'serverclose'))
      return false
    }
    if (command !== 'syslog') throw new RelpError(`${command} expecting syslog`)
    this.#underWay += 1
    await this.#settings.accept(data, () => {
      this.#underWay -= 1
      this.#send(frameBytes(number, 'rsp', '200 OK'))
      for (const wake of this.#wake.splice(0)) wake()
    })
    while (this.#underWay >= maxUnderWay && !this.#isClosing) await this.#changed()
    return !this.#isClosing
  }

  #open({ number, command, data }: RelpFrame): boolean {
    if (command !== 'open') throw new RelpError(`${command} expecting open`)
    const offer = readOffer(data)
    if (!offer.has('relp_version')) throw new RelpError('No relp_version specified')
    const commands = (offer.get('commands') ?? '').split(',')
    if (!commands.includes('syslog')) {
      this.#settings.logger.warn('Relp client incapable of syslog', { client: this.#peer })
      this.#send(frameBytes(number, 'rsp', '500 Required command(s) syslog not offered'))
      this.#send(frameBytes(0, 'serverclose'))
      return false
    }
    this.#isOpen = true
    const answer = `200 OK relp_version=0\nrelp_software=${software}\ncommands=syslog`
    this.#send(frameBytes(number, 'rsp', answer))
    return true
  }

  #send(bytes: Buffer): void {
    if (!this.#socket.destroyed && this.#socket.writable) this.#socket.write(bytes)
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve))
  }

  /** Resolves when everything that was taken is answered. */
  async idle(): Promise<void> {
    while (this.#underWay > 0 && !this.#socket.destroyed) await this.#changed()
  }

  /** Takes nothing more; the client hears that the server goes, and sends again what was not answered. */
  stop(): void {
    this.#isClosing = true
    this.#socket.pause()
    for (const wake of this.#wake.splice(0)) wake()
  }

  close(): void {
    this.#send(frameBytes(0, 'serverclose'))
    this.#socket.end()
    this.#socket.destroySoon()
  }
}
