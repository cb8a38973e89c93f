/** The collectd codec with packets of a real collectd: plain, signed and encrypted. */
import { createSocket } from 'node:dgram'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../src/event/value.ts'
import { codecFor, decodeWith, type TestOptions } from '../../../src/plugin/testing.ts'
import collectd from '../../../src/plugins/codecs/collectd.ts'
import { commandPath, ServerProcess, serverFolder } from '../support/server-process.ts'

/** Packets of a collectd with this security, until there are three. */
async function packets(security: string): Promise<Buffer[]> {
  const socket = createSocket('udp4')
  const received: Buffer[] = []
  socket.on('message', (packet) => received.push(packet))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  const folder = serverFolder('collectd')
  mkdirSync(join(folder, 'data'))
  const config = join(folder, 'collectd.conf')
  writeFileSync(
    config,
    `Hostname "host.example"
FQDNLookup false
BaseDir "${folder}/data"
PIDFile "${folder}/pid"
TypesDB "/usr/share/collectd/types.db"
Interval 1
LoadPlugin load
LoadPlugin cpu
LoadPlugin interface
LoadPlugin network
<Plugin network>
  <Server "127.0.0.1" "${port}">
    ${security}
  </Server>
</Plugin>
`,
  )
  const server = await ServerProcess.start({
    command: commandPath('collectd'),
    args: ['-f', '-C', config],
    folder,
  })
  try {
    for (let waited = 0; received.length < 3 && waited < 60; waited++) await wait(500)
    if (received.length < 3) throw new Error(`collectd sent nothing:\n${server.output}`)
    return received
  } finally {
    await server.dispose()
    socket.close()
  }
}

function events(given: readonly Buffer[], options: TestOptions = {}): Fields[] {
  const codec = codecFor(collectd, options)
  return given.flatMap((packet) => decodeWith(codec, packet))
}

describe('collectd codec', () => {
  it('reads what collectd sends', async () => {
    const given = await packets('')
    const read = events(given)
    expect(read.find((event) => event['plugin'] === 'load')).toMatchObject({
      host: 'host.example',
      collectd_type: 'load',
      shortterm: expect.anything(),
      midterm: expect.anything(),
      longterm: expect.anything(),
    })
    const traffic = read.find((event) => event['collectd_type'] === 'if_octets')
    expect(traffic).toMatchObject({ plugin: 'interface', rx: expect.anything(), tx: expect.anything() })
    expect(events(given, { typesdb: ['/usr/share/collectd/types.db'] })).toEqual(read)
  })

  it.each(['Sign', 'Encrypt'])('takes only what it may with the level %s', async (level) => {
    const folder = serverFolder('collectd-auth')
    const authfile = join(folder, 'auth')
    writeFileSync(authfile, 'kim: secret €\n')
    const given = await packets(`SecurityLevel ${level}\n    Username "kim"\n    Password "secret €"`)
    expect(events(given, { security_level: level, authfile }).length).toBeGreaterThan(3)
    writeFileSync(join(folder, 'other'), 'kim: wrong\n')
    expect(events(given, { security_level: level, authfile: join(folder, 'other') })).toEqual([])
  })
})
