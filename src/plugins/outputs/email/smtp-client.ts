/**
 * One mail over SMTP (RFC 5321): greeting, EHLO, perhaps STARTTLS and login, envelope, text, QUIT. Every answer
 * has a time limit; an answer that is not the expected one ends the attempt with what the server said.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** Name we greet with. */
  readonly domain: string
  /** Switch to TLS before anything is said about the mail. */
  readonly startTls: boolean
  readonly ca: string | undefined
  readonly checksCertificate: boolean
  readonly user: string | undefined
  readonly password: string | undefined
  readonly login: 'plain' | 'login'
  readonly milliseconds: number
}

interface Envelope {
  readonly from: string
  readonly to: readonly string[]
}

const maxAnswerLength = 64 * 1024

export async function sendMail(settings: SmtpSettings, envelope: Envelope, message: string): Promise<void> {
  const session = new SmtpSession(settings)
  try {
    await session.open()
    await session.deliver(envelope, message)
  } finally {
    session.close()
  }
}

class SmtpSession {
  readonly #settings: SmtpSettings
  #socket: Socket
  #received = ''
  #failure: Error | undefined
  #look: () => void = () => {}

  constructor(settings: SmtpSettings) {
    this.#settings = settings
    this.#socket = connectPlain({ host: settings.host, port: settings.port })
    this.#listen()
  }

  async open(): Promise<void> {
    const { domain, startTls, user } = this.#settings
    await this.#expect(220)
    let abilities = await this.#say(`EHLO ${domain}`, 250)
    if (startTls) {
      await this.#say('STARTTLS', 220)
      this.#secure()
      abilities = await this.#say(`EHLO ${domain}`, 250)
    }
    if (user !== undefined) await this.#logIn(user, abilities)
  }

  async #logIn(user: string, abilities: string): Promise<void> {
    const { password = '', login } = this.#settings
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const offered = /^250[ -]AUTH[ =](.*)$/im.exec(abilities)?.[1] ?? ''
    if (login === 'plain' || !/\bLOGIN\b/i.test(offered)) {
      await this.#say(`AUTH PLAIN ${encode(`\0${user}\0${password}`)}`, 235)
      return
    }
    await this.#say('AUTH LOGIN', 334)
    await this.#say(encode(user), 334)
    await this.#say(encode(password), 235)
  }

  async deliver({ from, to }: Envelope, message: string): Promise<void> {
    await this.#say(`MAIL FROM:<${from}>`, 250)
    for (const address of to) await this.#say(`RCPT TO:<${address}>`, 250, 251)
    await this.#say('DATA', 354)
    // A line that begins with a dot gets another one; a line of one dot is the end.
    const text = message.replace(/\r\n|[\r\n]/g, '\r\n').replace(/^\./gm, '..')
    await this.#say(`${text}\r\n.`, 250)
    await this.#say('QUIT', 221).catch(() => undefined)
  }

  close(): void {
    this.#socket.destroy()
  }

  #listen(): void {
    const socket = this.#socket
    const fail = (error: Error) => {
      if (socket !== this.#socket) return
      this.#failure ??= error
      this.#look()
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the mail server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.#socket) return
      this.#received += chunk.toString('latin1')
      if (this.#received.length > maxAnswerLength)
        fail(new Error('the answer of the mail server is too long'))
      else this.#look()
    })
  }

  #secure(): void {
    const { host, ca, checksCertificate } = this.#settings
    const plain = this.#socket
    plain.removeAllListeners('data')
    plain.removeAllListeners('close')
    this.#socket = connectTls({
      socket: plain,
      servername: isIP(host) === 0 ? host : undefined,
      host,
      ca,
      rejectUnauthorized: checksCertificate,
    })
    this.#received = ''
    this.#listen()
  }

  #say(line: string, ...codes: number[]): Promise<string> {
    this.#socket.write(`${line}\r\n`)
    return this.#expect(...codes)
  }

  /** The next answer, all its lines: `250-first`, `250 last`. */
  #expect(...codes: number[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#failure ??= new Error('the mail server does not answer')
        this.#look()
      }, this.#settings.milliseconds)
      const done = (error: Error | undefined, answer = '') => {
        clearTimeout(timer)
        this.#look = () => {}
        if (error === undefined) resolve(answer)
        else reject(error)
      }
      this.#look = () => {
        const end = /^\d{3}(?: [^\n]*)?\r?\n/m.exec(this.#received)
        if (end !== null) {
          const stop = end.index + end[0].length
          const answer = this.#received.slice(0, stop)
          this.#received = this.#received.slice(stop)
          const code = Number(end[0].slice(0, 3))
          done(codes.includes(code) ? undefined : new Error(answer.trim()), answer)
        } else if (this.#failure !== undefined) done(this.#failure)
      }
      this.#look()
    })
  }
}
