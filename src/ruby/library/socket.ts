/**
 * The parts of Socket that open none: the name of this computer, and addresses as the C library holds them, which code
 * takes apart to make keys of them (Community ID). Layouts of Linux:
 *
 *   IPv4  family 2 (little-endian), port (big-endian), 4 bytes of address, 8 of nothing
 *   IPv6  family 10, port, 4 bytes of flow, 16 of address, 4 of scope
 */
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { textArgument } from '../arguments.ts'
import { binaryText } from '../bytes.ts'
import { raise, standardError } from '../errors.ts'
import { defineStatics, newClass, type RubyValue } from '../ruby-class.ts'
import { addressNumber } from './ipaddr.ts'

const socketError = newClass('SocketError', standardError)

function portOf(value: RubyValue | undefined): number {
  if (value === null || value === undefined) return 0
  const text = typeof value === 'string' ? value : String(value)
  if (!/^\d+$/.test(text)) raise(socketError, 'getaddrinfo: Servname not supported for ai_socktype')
  return Number(text) & 0xffff
}

function packed(port: number, host: string): Buffer {
  const family = isIP(host)
  // Names are not looked up.
  if (family === 0) raise(socketError, 'getaddrinfo: Name or service not known')
  const bytes = Buffer.alloc(family === 4 ? 16 : 28)
  bytes.writeUInt16LE(family === 4 ? 2 : 10, 0)
  bytes.writeUInt16BE(port, 2)
  if (family === 4) bytes.writeUInt32BE(Number(addressNumber(host, 4)), 4)
  else bytes.write(addressNumber(host, 6).toString(16).padStart(32, '0'), 8, 'hex')
  return bytes
}

defineStatics(newClass('Socket'), {
  gethostname: () => hostname(),
  'sockaddr_in,pack_sockaddr_in 2': (_, [port, host]) => {
    const text = textArgument(host)
    return binaryText(packed(portOf(port), text === '' ? '0.0.0.0' : text))
  },
})
