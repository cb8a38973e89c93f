/**
 * The write side of WebHDFS: a request to the name node says where the data goes, a second one brings it there;
 * HttpFS takes the data at once. Of two name nodes the one that is not on standby is used.
 */
import type { Dispatcher } from 'undici'
import type { HttpClient } from '../../http-client/http-client.ts'
import { readAnswer } from '../../http-client/http-pool.ts'

interface NameNode {
  readonly host: string
  readonly port: number
}

interface WebHdfsSettings {
  readonly nodes: readonly NameNode[]
  readonly scheme: 'http' | 'https'
  readonly user: string
  readonly isHttpFs: boolean
}

export class WebHdfsError extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(`status ${status}: ${text.slice(0, 1000)}`)
    this.name = 'WebHdfsError'
    this.status = status
  }
}

const maxAnswerLength = 1024 * 1024

interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

export class WebHdfsClient {
  readonly #client: HttpClient
  readonly #settings: WebHdfsSettings
  #node = 0

  constructor(client: HttpClient, settings: WebHdfsSettings) {
    this.#client = client
    this.#settings = settings
  }

  append(path: string, data: Buffer): Promise<void> {
    return this.#write('POST', 'APPEND', path, data)
  }

  create(path: string, data: Buffer): Promise<void> {
    return this.#write('PUT', 'CREATE', path, data)
  }

  async #write(method: 'POST' | 'PUT', operation: string, path: string, data: Buffer): Promise<void> {
    const { nodes, scheme, user, isHttpFs } = this.#settings
    const { host, port } = nodes[this.#node % nodes.length]!
    const parameters = new URLSearchParams({ op: operation, 'user.name': user })
    if (operation === 'CREATE') parameters.set('overwrite', 'false')
    if (isHttpFs) parameters.set('data', 'true')
    const place = path.split('/').map(encodeURIComponent).join('/')
    const url = `${scheme}://${host}:${port}/webhdfs/v1${place.startsWith('/') ? '' : '/'}${place}?${parameters}`
    try {
      let answer = await this.#ask(method, url, isHttpFs ? data : null)
      if (answer.location !== undefined && answer.status >= 300 && answer.status <= 399)
        answer = await this.#ask(method, answer.location, data)
      if (answer.status < 200 || answer.status > 299) throw new WebHdfsError(answer.status, answer.text)
    } catch (error) {
      // The next try asks the other name node.
      if (!(error instanceof WebHdfsError) || error.message.includes('StandbyException')) this.#node += 1
      throw error
    }
  }

  #ask(method: Dispatcher.HttpMethod, url: string, body: Buffer | null): Promise<Answer> {
    const headers = [['Content-Type', 'application/octet-stream']] as const
    return this.#client.exchange({ method, url, headers, body }, async (answer) => ({
      status: answer.statusCode,
      location: [answer.headers['location']].flat()[0],
      text: (await readAnswer(answer.body, maxAnswerLength)).toString('utf8'),
    }))
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
