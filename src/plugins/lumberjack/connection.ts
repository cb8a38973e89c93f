/**
 * One sender of the Lumberjack protocol. Its events are collected until the announced window is complete, handed over
 * together, and acknowledged once they are safe; what is not acknowledged the sender sends again. Further windows are
 * read meanwhile, and acknowledged in their order. While that takes long, the sender hears an acknowledgement of
 * nothing every few seconds and stays.
 */

import type { Socket } from 'node:net'
import { writeJson } from '../../event/json-write.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import { closeBrace, openBrace } from '../../text/ascii.ts'
import { maxTimer } from '../../time/max-timer.ts'
import { isReset, reportFailure } from '../receiving/connection-failure.ts'
import {
  ackFrame,
  FrameReader,
  type LumberjackFrame,
  type LumberjackVersion,
  ProtocolError,
} from './frame-reader.ts'
import { inflateFrames } from './inflate-frames.ts'

interface LumberjackSettings {
  /** Takes the events of a window, or of a part of it, as JSON; resolves when it can take more, `done` says they are safe. */
  accept(batch: Uint8Array[], done: () => void): void | Promise<void>
  /** Seconds without a byte in either direction after which a sender is sent away. */
  readonly inactivitySeconds: number
  /** How often a sender that waits hears that we are alive. */
  readonly keepAliveMilliseconds?: number
  readonly logger: PluginLogger
}

const keepAliveMilliseconds = 5000
/** A window larger than this is handed over in parts. */
const maxPartBytes = 16 * 1024 * 1024
const maxEventsInPart = 10_000
/** Windows that wait for their acknowledgement; nothing more is read while there are so many. */
const maxWindowsUnderWay = 64

interface Window {
  readonly version: LumberjackVersion
  /** The highest sequence number it has. */
  highest: number
  /** Parts that were handed over and are not safe yet. */
  parts: number
  isComplete: boolean
}

export class LumberjackConnection {
  /** Resolves when nothing more is read and no window waits for its acknowledgement. */
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
  /** Windows of which something was handed over, the oldest first; the last one may be incomplete. */
  readonly #underWay: Window[] = []
  readonly #waiting = new Set<() => void>()
  #alive: NodeJS.Timeout | undefined
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
    socket.once('close', () => {
      this.#rest()
      this.#wake()
    })
    this.ended = this.#run()
  }

  async #run(): Promise<void> {
    try {
      await this.#read()
      await this.#settled()
    } catch (error) {
      this.#report(error as NodeJS.ErrnoException)
      if (error instanceof ProtocolError) await this.#settled()
    } finally {
      // What was acknowledged should be heard of, so the socket is ended before it is closed.
      this.#socket.destroySoon()
      this.#rest()
    }
  }

  /** A sender may close its side and wait for what it sent to be acknowledged: its end is not that of the socket. */
  async #read(): Promise<void> {
    for await (const chunk of this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (this.#stopping) return
      this.#reader.push(chunk)
      for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) {
        await this.#receive(frame)
        if (this.#stopping) return
      }
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
    if (size === 0) this.#acknowledge(this.#version, 0)
  }

  #add(sequence: number, json: Uint8Array): void | Promise<void> {
    this.#batch.push(json)
    this.#batchBytes += json.length
    this.#received += 1
    if (sequence > this.#highest) this.#highest = sequence
    if (this.#received >= this.#window) return this.#complete()
    if (this.#batchBytes > maxPartBytes || this.#batch.length >= maxEventsInPart) return this.#handOver()
  }

  async #complete(): Promise<void> {
    const room = this.#handOver()
    this.#received = 0
    const window = this.#openWindow()
    if (window !== undefined) window.isComplete = true
    this.#acknowledgeSafe()
    await room
    while (this.#underWay.length >= maxWindowsUnderWay && this.#isOpen) await this.#change()
  }

  /** The window whose parts are being handed over, the first part of which made it known. */
  #openWindow(): Window | undefined {
    const last = this.#underWay[this.#underWay.length - 1]
    return last?.isComplete === false ? last : undefined
  }

  async #handOver(): Promise<void> {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    this.#batchBytes = 0
    const window = this.#openWindow() ?? this.#newWindow()
    window.highest = this.#highest
    window.parts += 1
    const done = () => {
      window.parts -= 1
      this.#acknowledgeSafe()
    }
    await this.#settings.accept(batch, done)
  }

  #newWindow(): Window {
    const window: Window = { version: this.#version, highest: 0, parts: 0, isComplete: false }
    this.#underWay.push(window)
    this.#watchSilence(false)
    this.#alive ??= setInterval(
      () => this.#acknowledge(this.#version, 0),
      this.#settings.keepAliveMilliseconds ?? keepAliveMilliseconds,
    )
    return window
  }

  /** Windows all of whose events are safe, up to the first one that has others. */
  #acknowledgeSafe(): void {
    let acknowledged = 0
    for (const { version, highest, parts, isComplete } of this.#underWay) {
      if (!isComplete || parts > 0) break
      this.#acknowledge(version, highest)
      acknowledged += 1
    }
    if (acknowledged === 0) return
    this.#underWay.splice(0, acknowledged)
    if (this.#underWay.length === 0) this.#rest()
    else this.#alive?.refresh()
    this.#wake()
  }

  /** Nothing is under way: the sender has to say something next. */
  #rest(): void {
    clearInterval(this.#alive)
    this.#alive = undefined
    this.#watchSilence(true)
  }

  get #isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Resolves when a window was acknowledged or the socket is closed. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** Resolves when every complete window is acknowledged, or nobody is there to hear it. */
  async #settled(): Promise<void> {
    while (this.#underWay[0]?.isComplete === true && this.#isOpen) await this.#change()
  }

  /** A sender that waits for us is silent for a good reason. */
  #watchSilence(watched: boolean): void {
    const { inactivitySeconds } = this.#settings
    const milliseconds = Math.min(inactivitySeconds * 1000, maxTimer)
    this.#socket.setTimeout(watched && inactivitySeconds > 0 ? milliseconds : 0)
  }

  #acknowledge(version: LumberjackVersion, sequence: number): void {
    if (this.#socket.writable) this.#socket.write(ackFrame(version, sequence))
  }

  #report(error: NodeJS.ErrnoException): void {
    const { logger } = this.#settings
    if (error instanceof ProtocolError) {
      logger.warn('Invalid frame, closing connection', { client: this.#peer, message: error.message })
    } else {
      const wasReset = isReset(error) || /PREMATURE_CLOSE/.test(`${error.code}`)
      reportFailure(logger, this.#peer, error, { wasReset, isEnding: this.#stopping })
    }
  }

  /** Takes nothing more, waits for the windows that are under way, closes. */
  async finish(): Promise<void> {
    this.#stopping = true
    await this.#settled()
    this.#socket.destroySoon()
    await this.ended
  }

  destroy(): void {
    this.#stopping = true
    this.#socket.destroy()
  }
}

/** A sender that cuts its events short is sent away; what is between the braces is read where events are made. */
function checkedObject(json: Buffer): Buffer {
  const isObject = json[0] === openBrace && json[json.length - 1] === closeBrace
  if (isObject) return json
  const text = json.toString('utf8').trim()
  if (!text.startsWith('{') || !text.endsWith('}')) throw new ProtocolError('An event is not a JSON object')
  return json
}
