/**
 * One sender of the Lumberjack protocol. Its events are collected until the announced window is complete, handed
 * over together, and acknowledged once they were accepted; what is not acknowledged the sender sends again.
 * While accepting takes long, the sender hears an acknowledgement of nothing every few seconds and stays.
 */
import type { Socket } from 'node:net'
import { writeJson } from '../../event/json-write.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import {
  ackFrame,
  FrameReader,
  type LumberjackFrame,
  type LumberjackVersion,
  ProtocolError,
} from './frame-reader.ts'
import { inflateFrames } from './inflate-frames.ts'

export interface LumberjackSettings {
  /** Takes the events of a window, or of a part of it, as JSON; resolves when they are safe. */
  accept(batch: Uint8Array[], socket: Socket): void | Promise<void>
  /** Seconds without a byte in either direction after which a sender is sent away. */
  readonly inactivitySeconds: number
  /** How often a sender that waits hears that we are alive. */
  readonly keepAliveMilliseconds?: number
  readonly logger: PluginLogger
}

const keepAliveMilliseconds = 5000
/** A window larger than this is handed over in parts. */
const largestPart = 16 * 1024 * 1024
const mostEventsInPart = 10_000

export class LumberjackConnection {
  /** Resolves when the socket is closed and nothing of it is under way any more. */
  readonly ended: Promise<void>
  readonly #socket: Socket
  readonly #settings: LumberjackSettings
  readonly #peer: string
  readonly #reader = new FrameReader()
  #window = 0
  #received = 0
  #highest = 0
  #version: LumberjackVersion = 2
  #batch: Uint8Array[] = []
  #batchBytes = 0
  #accepting = false
  #stopping = false

  constructor(socket: Socket, settings: LumberjackSettings) {
    this.#socket = socket
    this.#settings = settings
    this.#peer = `${socket.remoteAddress}:${socket.remotePort}`
    socket.on('error', () => undefined)
    this.#watchSilence(true)
    socket.on('timeout', () => {
      settings.logger.debug('Closing idle connection', { client: this.#peer })
      socket.destroy()
    })
    this.ended = this.#run()
  }

  async #run(): Promise<void> {
    try {
      for await (const chunk of this.#socket as AsyncIterable<Buffer>) {
        this.#reader.push(chunk)
        for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) {
          await this.#receive(frame)
          if (this.#stopping) return
        }
      }
    } catch (error) {
      this.#report(error as NodeJS.ErrnoException)
    } finally {
      // What was acknowledged should be heard of, so the socket is ended before it is closed.
      this.#socket.destroySoon()
    }
  }

  async #receive(frame: LumberjackFrame): Promise<void> {
    this.#version = frame.version
    switch (frame.kind) {
      case 'window':
        return this.#begin(frame.size)
      case 'json':
        return this.#add(frame.sequence, checkedObject(frame.json))
      case 'data':
        return this.#add(frame.sequence, Buffer.from(writeJson(frame.fields)))
      case 'compressed':
        for await (const frames of inflateFrames(frame.zlib)) {
          for (const inner of frames) await this.#receive(inner)
        }
    }
  }

  async #begin(size: number): Promise<void> {
    if (this.#received > 0) await this.#complete()
    this.#window = size
    this.#received = 0
    this.#highest = 0
    if (size === 0) this.#acknowledge(0)
  }

  #add(sequence: number, json: Uint8Array): void | Promise<void> {
    this.#batch.push(json)
    this.#batchBytes += json.length
    this.#received += 1
    if (sequence > this.#highest) this.#highest = sequence
    if (this.#received >= this.#window) return this.#complete()
    if (this.#batchBytes > largestPart || this.#batch.length >= mostEventsInPart) return this.#handOver()
  }

  async #complete(): Promise<void> {
    await this.#handOver()
    this.#acknowledge(this.#highest)
    this.#received = 0
  }

  async #handOver(): Promise<void> {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    this.#batchBytes = 0
    const accepted = this.#settings.accept(batch, this.#socket)
    if (accepted === undefined) return
    this.#accepting = true
    this.#watchSilence(false)
    const alive = setInterval(
      () => this.#acknowledge(0),
      this.#settings.keepAliveMilliseconds ?? keepAliveMilliseconds,
    )
    try {
      await accepted
    } finally {
      clearInterval(alive)
      this.#accepting = false
      this.#watchSilence(true)
    }
  }

  /** A sender that waits for us is silent for a good reason. */
  #watchSilence(watched: boolean): void {
    const { inactivitySeconds } = this.#settings
    const milliseconds = Math.min(inactivitySeconds * 1000, longestTimer)
    this.#socket.setTimeout(watched && inactivitySeconds > 0 ? milliseconds : 0)
  }

  #acknowledge(sequence: number): void {
    if (this.#socket.writable) this.#socket.write(ackFrame(this.#version, sequence))
  }

  #report(error: NodeJS.ErrnoException): void {
    const { logger } = this.#settings
    if (error instanceof ProtocolError) {
      logger.warn('Invalid frame, closing connection', { client: this.#peer, message: error.message })
    } else if (
      error.code === 'ECONNRESET' ||
      error.code === 'EPIPE' ||
      /PREMATURE_CLOSE/.test(`${error.code}`)
    ) {
      logger.debug('Connection reset by peer', { client: this.#peer })
    } else if (!this.#stopping) {
      logger.error('An error occurred, closing connection', {
        client: this.#peer,
        message: error.message,
        exception: error.name,
      })
    }
  }

  /** Waits for the window that is being accepted, takes nothing more, closes. */
  async finish(): Promise<void> {
    this.#stopping = true
    if (!this.#accepting) this.#socket.destroy()
    await this.ended
  }

  destroy(): void {
    this.#stopping = true
    this.#socket.destroy()
  }
}

/** Longer timers of Node end at once. */
const longestTimer = 2 ** 31 - 1

/** A sender that cuts its events short is sent away; what is between the braces is read where events are made. */
function checkedObject(json: Buffer): Buffer {
  const isObject = json[0] === openBrace && json[json.length - 1] === closeBrace
  if (isObject) return json
  const text = json.toString('utf8').trim()
  if (!text.startsWith('{') || !text.endsWith('}')) throw new ProtocolError('An event is not a JSON object')
  return json
}

const openBrace = 0x7b
const closeBrace = 0x7d
