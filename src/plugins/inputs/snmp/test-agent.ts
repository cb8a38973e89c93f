/** An SNMP agent on a loopback port, for tests only: a switch with two interfaces, community `public`. */
import { createSocket } from 'node:dgram'
import { createRequire } from 'node:module'

interface Package {
  createAgent(options: object, callback: () => void): Agent
  readonly ObjectType: Readonly<Record<string, number>>
  readonly MibProviderType: Readonly<Record<string, number>>
  readonly MaxAccess: Readonly<Record<string, number>>
}

interface Agent {
  getMib(): {
    registerProvider(provider: object): void
    setScalarValue(name: string, value: unknown): void
    addTableRow(name: string, row: unknown[]): void
  }
  getAuthorizer(): { addCommunity(name: string): void }
  close(): void
}

export async function testAgent(): Promise<{ port: number; close(): void }> {
  const library = createRequire(import.meta.url)('net-snmp') as Package
  const { ObjectType, MibProviderType, MaxAccess } = library
  const readOnly = MaxAccess['read-only']
  const port = await freePort()
  const agent = library.createAgent({ port, address: '127.0.0.1' }, () => undefined)
  agent.getAuthorizer().addCommunity('public')
  const mib = agent.getMib()
  const scalar = (name: string, oid: string, type: string, value: unknown) => {
    const scalarType = ObjectType[type]
    mib.registerProvider({ name, type: MibProviderType['Scalar'], oid, scalarType, maxAccess: readOnly })
    mib.setScalarValue(name, value)
  }
  scalar('sysDescr', '1.3.6.1.2.1.1.1', 'OctetString', 'a switch')
  scalar('sysObjectID', '1.3.6.1.2.1.1.2', 'OID', '1.3.6.1.4.1.9.1')
  scalar('sysUpTime', '1.3.6.1.2.1.1.3', 'TimeTicks', 12345)
  mib.registerProvider({
    name: 'ifTable',
    type: MibProviderType['Table'],
    oid: '1.3.6.1.2.1.2.2.1',
    maxAccess: readOnly,
    tableColumns: [
      { number: 1, name: 'ifIndex', type: ObjectType['Integer'], maxAccess: readOnly },
      { number: 2, name: 'ifDescr', type: ObjectType['OctetString'], maxAccess: readOnly },
      { number: 8, name: 'ifOperStatus', type: ObjectType['Integer'], maxAccess: readOnly },
    ],
    tableIndex: [{ columnName: 'ifIndex' }],
  })
  mib.addTableRow('ifTable', [1, 'eth0', 1])
  mib.addTableRow('ifTable', [2, 'eth1', 2])
  return { port, close: () => agent.close() }
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  socket.close()
  return port
}
