/** A mail server on a loopback port, for tests only: it takes every mail but those for receivers at `nowhere`. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { testCertificate, testKey } from '../../tls/test-certificate.ts'

interface TakenMail {
  commands: string[]
  data: string
}

export class TestMailServer {
  readonly mails: TakenMail[] = []
  readonly #server: Server

  private constructor() {
    this.#server = createServer((socket) => {
      const mail: TakenMail = { commands: [], data: '' }
      this.mails.push(mail)
      serve(socket, mail, true)
    })
  }

  static async start(): Promise<TestMailServer> {
    const made = new TestMailServer()
    made.#server.listen(0, '127.0.0.1')
    await once(made.#server, 'listening')
    return made
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
  }
}

function serve(socket: Socket | TLSSocket, mail: TakenMail, greet: boolean): void {
  let kept = ''
  let inData = false
  const say = (text: string) => socket.write(`${text}\r\n`)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    kept += chunk.toString()
    if (inData) {
      const end = kept.indexOf('\r\n.\r\n')
      if (end < 0) return
      mail.data = kept.slice(0, end)
      kept = kept.slice(end + 5)
      inData = false
      say('250 queued')
    }
    for (let end = kept.indexOf('\r\n'); end >= 0 && !inData; end = kept.indexOf('\r\n')) {
      const line = kept.slice(0, end)
      kept = kept.slice(end + 2)
      mail.commands.push(line)
      if (line.startsWith('EHLO')) say('250-here\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS')
      else if (line === 'STARTTLS') {
        say('220 go')
        socket.removeAllListeners('data')
        serve(new TLSSocket(socket, { isServer: true, key: testKey, cert: testCertificate }), mail, false)
        return
      } else if (line.startsWith('AUTH PLAIN')) say('235 ok')
      else if (line === 'AUTH LOGIN' || /^dXNlcg==$/.test(line)) say('334 next')
      else if (/^cGFzcw==$/.test(line)) say('235 ok')
      else if (line.includes('nowhere')) say('550 no such user')
      else if (line === 'DATA') {
        inData = true
        say('354 go')
      } else say(line === 'QUIT' ? '221 bye' : '250 ok')
    }
  })
  if (greet) say('220 mail')
}
