/**
 * `ca_trusted_fingerprint`: an authority is trusted when the cluster shows it and its SHA-256 fingerprint is
 * one of the given. The chain is looked at over a connection that carries nothing.
 */
import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate } from 'node:tls'

const timeoutMillis = 10_000
const maxChainLength = 16

/** The trusted certificates of the chain, PEM; none when the fingerprints name other ones. */
export function trustedAuthorities(url: string, fingerprints: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    // Addresses are no names to ask for.
    const servername = isIP(host) === 0 ? host : ''
    const socket = connect({ host, port: Number(port || 443), servername, rejectUnauthorized: false })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(timeoutMillis, () => fail(new Error(`no answer from ${url}`)))
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      const found = chainOf(socket.getPeerCertificate(true)).filter(({ fingerprint256 }) =>
        fingerprints.includes(fingerprint256.replaceAll(':', '').toUpperCase()),
      )
      socket.destroy()
      resolve(found.map(({ raw }) => pem(raw)))
    })
  })
}

function chainOf(first: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = []
  let next: DetailedPeerCertificate | undefined = first
  while (next?.raw !== undefined && chain.length < maxChainLength && !chain.includes(next)) {
    chain.push(next)
    next = next.issuerCertificate
  }
  return chain
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
