/**
 * A request with several `Host` headers is refused (RFC 9112, 3.2): a proxy in front might go by another one of them
 * than we do. Node.js takes the first; a request without any it refuses itself.
 */
import type { RequestListener } from 'node:http'

export function withOneHost(listener: RequestListener): RequestListener {
  return (message, response) => {
    const { rawHeaders } = message
    let hosts = 0
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i]!
      if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    }
    if (hosts < 2) return listener(message, response)
    response.writeHead(400, { connection: 'close' }).end()
  }
}
