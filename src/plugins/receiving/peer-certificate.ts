/** Certificates that clients may show but need not: a missing one is fine, a wrong one is not. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** Whether the peer showed no certificate, or one that an authority vouches for. */
export function isTrusted(socket: Socket): boolean {
  if (!(socket instanceof TLSSocket) || socket.authorized) return true
  return Object.keys(socket.getPeerCertificate()).length === 0
}
