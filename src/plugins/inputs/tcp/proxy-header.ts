/**
 * The PROXY protocol, version 1: before its first bytes a proxy sends one line that says for whom it speaks,
 *   PROXY TCP4 <client address> <proxy address> <client port> <proxy port>\r\n
 * at most 107 bytes with its end. `PROXY UNKNOWN\r\n` means that the proxy cannot say.
 */
const maxLineLength = 107

export interface ProxiedPeer {
  readonly address: string | undefined
  readonly port: string | undefined
  readonly proxyAddress: string | undefined
  readonly proxyPort: string | undefined
}

export class InvalidProxyHeader extends Error {
  readonly header: string

  constructor(header: string) {
    super(`Invalid proxy protocol header label ${JSON.stringify(header)}`)
    this.header = header
  }
}

/** Collects the first bytes of a connection until the line is complete. */
export class ProxyHeader {
  #bytes: Buffer = Buffer.alloc(0)

  /** The peer and what follows the line; undefined while the line is not complete. */
  push(chunk: Buffer): { peer: ProxiedPeer; rest: Buffer } | undefined {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    const end = this.#bytes.indexOf('\r\n')
    const line = this.#bytes.toString(
      'latin1',
      0,
      Math.min(end < 0 ? this.#bytes.length : end, maxLineLength),
    )
    if (end > maxLineLength - 2 || (end < 0 && this.#bytes.length >= maxLineLength)) {
      throw new InvalidProxyHeader(line)
    }
    if (end < 0) return undefined
    return { peer: readPeer(line), rest: this.#bytes.subarray(end + 2) }
  }
}

function readPeer(line: string): ProxiedPeer {
  const [label, , address, proxyAddress, port, proxyPort] = line.split(/\s/)
  if (label !== 'PROXY') throw new InvalidProxyHeader(line)
  return { address, port, proxyAddress, proxyPort }
}
