/** The snmp and snmptrap inputs with an agent and a sender of the same package, on loopback ports. */
import { createSocket } from 'node:dgram'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Fields } from '../../event/value.ts'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import snmp from './snmp.ts'
import snmptrap from './snmptrap.ts'

interface Package {
  createAgent(options: object, callback: () => void): Agent
  createSession(target: string, community: string, options: object): Sender
  createV3Session(target: string, user: object, options: object): Sender
  readonly [name: string]: unknown
}
interface Agent {
  getMib(): {
    registerProvider(provider: object): void
    setScalarValue(name: string, value: unknown): void
    addTableRow(name: string, row: unknown[]): void
  }
  getAuthorizer(): { addCommunity(name: string): void; addUser(user: object): void }
  close(): void
}
interface Sender {
  trap(type: unknown, varbinds: object[], options: object, done: (error: Error | null) => void): void
  inform(type: unknown, varbinds: object[], options: object, done: (error: Error | null) => void): void
  close(): void
}

const library = createRequire(import.meta.url)('net-snmp') as Package
const constants = library as unknown as Record<string, Record<string, number>> & {
  Version1: number
  Version2c: number
}
const { ObjectType, MibProviderType, MaxAccess, SecurityLevel, AuthProtocols, PrivProtocols, TrapType } =
  constants
const user = {
  name: 'me',
  level: SecurityLevel!['authPriv'],
  authProtocol: AuthProtocols!['sha256'],
  authKey: 'authentication',
  privProtocol: PrivProtocols!['aes'],
  privKey: 'encryption',
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  socket.close()
  return port
}

/** Without what every event has, and its metadata. */
function own({ '@timestamp': _, '@metadata': __, ...fields }: Fields): Fields {
  return fields
}

const running: { input: TestInput; ended: Promise<void> }[] = []
afterEach(async () => {
  for (const { input, ended } of running.splice(0)) {
    await input.instance.stop()
    await ended
    await input.instance.close?.()
  }
})

async function start(
  definition: typeof snmp,
  options: TestOptions,
  settings: TestSettings = {},
): Promise<TestInput> {
  const input = inputFor(definition, options, settings)
  await input.instance.register!()
  running.push({ input, ended: input.instance.run(input.sink) })
  return input
}

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** Answers the first question after the description of the system with it, and no other one. */
async function forgetfulAgent(): Promise<number> {
  const inner = await freePort()
  const agent = library.createAgent({ port: inner, address: '127.0.0.1' }, () => undefined)
  agent.getAuthorizer().addCommunity('public')
  agent.getMib().registerProvider({
    name: 'sysDescr',
    type: MibProviderType!['Scalar'],
    oid: '1.3.6.1.2.1.1.1',
    scalarType: ObjectType!['OctetString'],
    maxAccess: MaxAccess!['read-only'],
  })
  agent.getMib().setScalarValue('sysDescr', 'a switch')
  const outside = createSocket('udp4')
  const inside = createSocket('udp4')
  let asked = 0
  outside.on('message', (question, { port }) => {
    if (++asked > 1) return
    inside.once('message', (answer) => outside.send(answer, port, '127.0.0.1'))
    inside.send(question, inner, '127.0.0.1')
  })
  await new Promise<void>((resolve) => outside.bind(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    agent.close()
    outside.close()
    inside.close()
  })
  return outside.address().port
}

describe('snmp input', () => {
  let port: number
  let agent: Agent
  beforeAll(async () => {
    port = await freePort()
    agent = library.createAgent({ port, address: '127.0.0.1' }, () => undefined)
    agent.getAuthorizer().addCommunity('public')
    agent.getAuthorizer().addUser(user)
    const mib = agent.getMib()
    const scalar = (name: string, oid: string, type: number, value: unknown) => {
      mib.registerProvider({
        name,
        type: MibProviderType!['Scalar'],
        oid,
        scalarType: type,
        maxAccess: MaxAccess!['read-only'],
      })
      mib.setScalarValue(name, value)
    }
    scalar('sysDescr', '1.3.6.1.2.1.1.1', ObjectType!['OctetString']!, 'a switch')
    scalar('sysObjectID', '1.3.6.1.2.1.1.2', ObjectType!['OID']!, '1.3.6.1.2.1.1.1')
    scalar('sysUpTime', '1.3.6.1.2.1.1.3', ObjectType!['TimeTicks']!, 12345)
    mib.registerProvider({
      name: 'ifTable',
      type: MibProviderType!['Table'],
      oid: '1.3.6.1.2.1.2.2.1',
      maxAccess: MaxAccess!['read-only'],
      tableColumns: [
        { number: 1, name: 'ifIndex', type: ObjectType!['Integer'], maxAccess: MaxAccess!['read-only'] },
        { number: 2, name: 'ifDescr', type: ObjectType!['OctetString'], maxAccess: MaxAccess!['read-only'] },
        {
          number: 6,
          name: 'ifPhysAddress',
          type: ObjectType!['OctetString'],
          maxAccess: MaxAccess!['read-only'],
        },
        { number: 8, name: 'ifOperStatus', type: ObjectType!['Integer'], maxAccess: MaxAccess!['read-only'] },
      ],
      tableIndex: [{ columnName: 'ifIndex' }],
    })
    mib.addTableRow('ifTable', [10, 'eth1', Buffer.from([0, 0x1b, 0x21]), 2])
    mib.addTableRow('ifTable', [2, 'eth0', Buffer.from([0, 0x1b, 0x20]), 1])
  })
  afterAll(() => agent.close())

  const host = (more: object = {}) => ({ host: `udp:127.0.0.1/${port}`, retries: 0, ...more })
  const system = 'iso.org.dod.internet.mgmt.mib-2.system'

  it.each([{ version: '2c' }, { version: '1' }, { version: '3' }])('asks with %j', async (more) => {
    const { sink } = await start(snmp, {
      hosts: [host(more)],
      get: ['1.3.6.1.2.1.1.1.0', '.1.3.6.1.2.1.1.3.0'],
      security_name: 'me',
      security_level: 'authPriv',
      auth_protocol: 'sha2',
      auth_pass: 'authentication',
      priv_protocol: 'aes',
      priv_pass: 'encryption',
    })
    expect((await sink.waitFor(1)).map(own)).toEqual([
      { [`${system}.sysDescr.0`]: 'a switch', [`${system}.sysUpTime.0`]: 12345, host: '127.0.0.1' },
    ])
    expect(sink.received[0]!.metadata()).toEqual({
      host_protocol: 'udp',
      host_address: '127.0.0.1',
      host_port: String(port),
      host_community: 'public',
    })
  })

  it('walks, with names of ECS and a target', async () => {
    const options = { hosts: [host()], walk: ['1.3.6.1.2.1.1'], target: '[device]', oid_path_length: 2 }
    const { sink } = await start(snmp, options, { ecs: 'v8' })
    expect((await sink.waitFor(1)).map(own)).toEqual([
      {
        device: { 'sysDescr.0': 'a switch', 'sysObjectID.0': '1.3.6.1.2.1.1.1', 'sysUpTime.0': 12345 },
        host: { ip: '127.0.0.1' },
      },
    ])
    expect(sink.received[0]!.get('[@metadata][input][snmp][host][address]')).toBe('127.0.0.1')
  })

  it('reads tables, rows in the order of their index', async () => {
    const columns = ['1.3.6.1.2.1.2.2.1.2', '1.3.6.1.2.1.2.2.1.6', '1.3.6.1.2.1.2.2.1.8']
    const { sink } = await start(snmp, {
      hosts: [host()],
      tables: [{ name: 'interfaces', columns }],
      oid_mapping_format: 'ruby_snmp',
      map_enum_values: true,
    })
    expect((await sink.waitFor(1))[0]).toMatchObject({
      interfaces: [
        {
          index: '2',
          'IF-MIB::ifDescr': 'eth0',
          'IF-MIB::ifPhysAddress': '00:1b:20',
          'IF-MIB::ifOperStatus': 'up',
        },
        {
          index: '10',
          'IF-MIB::ifDescr': 'eth1',
          'IF-MIB::ifPhysAddress': '00:1b:21',
          'IF-MIB::ifOperStatus': 'down',
        },
      ],
    })
  })

  it('maps values that are OIDs, and says what does not exist', async () => {
    const { sink } = await start(snmp, {
      hosts: [host()],
      get: ['1.3.6.1.2.1.1.2.0', '1.3.6.1.2.1.1.99.0'],
      oid_mapping_format: 'ruby_snmp',
      oid_map_field_values: true,
    })
    const [fields] = await sink.waitFor(1)
    expect(fields).toMatchObject({ 'SNMPv2-MIB::sysObjectID.0': 'SNMPv2-MIB::sysDescr' })
    expect(String(fields!['SNMPv2-MIB::system.99.0'])).toMatch(/^error: no such/)
  })

  it('tags the event of a host that does not answer, and asks the others', async () => {
    const dead = { host: `udp:127.0.0.1/${await freePort()}`, timeout: 50, retries: 0 }
    const { sink } = await start(snmp, { hosts: [dead, host()], get: ['1.3.6.1.2.1.1.1.0'], interval: 60 })
    const events = await sink.waitFor(2)
    expect(events.map(({ tags }) => tags ?? null)).toEqual(expect.arrayContaining([null, ['_snmpfailure']]))
  })

  it('tags failures as told, and keeps what a walk had brought only when told to', async () => {
    const dead = { host: `udp:127.0.0.1/${await freePort()}`, timeout: 50, retries: 0 }
    const asked = { get: ['1.3.6.1.2.1.1.1.0'], interval: 60, threads: 1, tag_on_failure: ['down'] }
    const { sink } = await start(snmp, { ...asked, hosts: [dead] })
    expect((await sink.waitFor(1))[0]!['tags']).toEqual(['down'])
  })

  it.each([
    [true, ['a switch']],
    [false, []],
  ])('with allow_partial_response => %s keeps %j of a walk that fails later', async (allow, kept) => {
    const tricky = await forgetfulAgent()
    const { sink } = await start(snmp, {
      hosts: [{ host: `udp:127.0.0.1/${tricky}`, timeout: 200, retries: 0, version: '1' }],
      walk: ['1.3.6.1.2.1.1'],
      interval: 60,
      allow_partial_response: allow,
    })
    const { host: _, tags, ...values } = own((await sink.waitFor(1))[0]!)
    expect(tags).toEqual(['_snmpfailure'])
    expect(Object.values(values)).toEqual(kept)
  })

  it.each([1, 5])('walks with max_repetitions %s', async (max_repetitions) => {
    const walk = ['1.3.6.1.2.1.2.2.1.2']
    const { sink } = await start(snmp, { hosts: [host()], walk, max_repetitions, interval: 60 })
    const values = Object.values(own((await sink.waitFor(1))[0]!))
    expect(values).toEqual(expect.arrayContaining(['eth0', 'eth1']))
  })

  it('names OIDs by the files in mib_paths, and by no others without use_provided_mibs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-mib-'))
    writeFileSync(join(folder, 'own.yaml'), '---\nsysDescr: 1.3.6.1.2.1.1.1\n')
    const options = { hosts: [host()], get: ['1.3.6.1.2.1.1.1.0'], interval: 60, use_provided_mibs: false }
    const named = await start(snmp, { ...options, mib_paths: [folder] })
    expect(Object.keys(own((await named.sink.waitFor(1))[0]!)).join()).toContain('sysDescr')
    const plain = await start(snmp, options)
    expect(Object.keys(own((await plain.sink.waitFor(1))[0]!)).join()).not.toContain('sysDescr')
  })

  it('asks again after the interval', async () => {
    const { sink } = await start(snmp, { hosts: [host()], get: ['1.3.6.1.2.1.1.1.0'], interval: 0.05 })
    await sink.waitFor(3)
  })

  it.each<[TestOptions, string]>([
    [{ get: ['1.3'] }, 'at least one host definition is required'],
    [
      { hosts: [{ host: 'udp:127.0.0.1/161' }] },
      'at least one get OID, one walk OID, or one table OID is required',
    ],
    [{ get: ['x'], hosts: [{ host: 'udp:a/1' }] }, "The get option oid 'x' has an invalid format"],
    [{ get: ['1'], hosts: [{ host: 'a' }] }, "invalid format for host option 'a'"],
    [
      { get: ['1'], hosts: [{ host: 'aaa:a/1' }] },
      "only udp & tcp protocols are supported for host option 'aaa:a/1'",
    ],
    [
      { get: ['1'], hosts: [{ host: 'udp:a/1', version: '4' }] },
      "only protocol version '1', '2c' and '3' are supported for host option 'udp:a/1'",
    ],
    [
      { get: ['1'], hosts: [{ host: 'udp:a/1', version: '3' }] },
      '`security_name` is required when SNMP v3 is enabled',
    ],
    [
      { get: ['1'], hosts: [{ host: 'udp:a/1' }], oid_root_skip: 1, oid_path_length: 1 },
      'Use either `oid_root_skip` or `oid_path_length`',
    ],
    [
      { get: ['1'], hosts: [{ host: 'udp:a/1' }], local_engine_id: 'four' },
      '`local_engine_id` length must be greater or equal than 5',
    ],
    [
      { get: ['1'], hosts: [{ host: 'udp:a/1' }], local_engine_id: 'x'.repeat(33) },
      '`local_engine_id` length must be lower or equal than 32',
    ],
  ])('refuses %j', async (options, message) => {
    const { instance } = inputFor(snmp, options)
    await expect(instance.register!()).rejects.toThrow(message)
  })
})

describe('snmptrap input', () => {
  const varbinds = [
    { oid: '1.3.6.1.2.1.1.1.0', type: ObjectType!['OctetString'], value: 'test one' },
    { oid: '1.3.6.1.2.1.1.2.0', type: ObjectType!['OID'], value: '1.3.6.1.2.1.1.1' },
  ]

  async function listening(options: TestOptions = {}, settings: TestSettings = {}) {
    const port = await freePort()
    const input = await start(snmptrap, { host: '127.0.0.1', port, ...options }, settings)
    while (!input.environment.logger.messages().includes('SNMP trap receiver started.')) await wait(5)
    await wait(50)
    return { input, port }
  }

  function trap(session: Sender, type: unknown, options: object = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      session.trap(type, varbinds, options, (error) => {
        session.close()
        if (error) reject(error)
        else resolve()
      })
    })
  }

  it('makes an event of a trap of version 1', async () => {
    const { input, port } = await listening()
    const session = library.createSession('127.0.0.1', 'public', {
      trapPort: port,
      version: constants.Version1,
    })
    await trap(session, '1.3.6.1.4.1.2000.1', { agentAddr: '192.168.1.40', upTime: 1500 })
    const [fields] = await input.sink.waitFor(1)
    const { message, ...rest } = own(fields!)
    expect(rest).toEqual({
      'SNMPv2-MIB::sysDescr.0': 'test one',
      'SNMPv2-MIB::sysObjectID.0': 'SNMPv2-MIB::sysDescr',
      host: '127.0.0.1',
    })
    const pdu = {
      agent_addr: '192.168.1.40',
      generic_trap: 6,
      specific_trap: 1,
      enterprise: '1.3.6.1.4.1.2000',
      variable_bindings: { '1.3.6.1.2.1.1.1.0': 'test one', '1.3.6.1.2.1.1.2.0': 'SNMPv2-MIB::sysDescr' },
      type: 'V1TRAP',
      community: 'public',
      version: '1',
      timestamp: 1500,
    }
    expect(JSON.parse(String(message))).toEqual(pdu)
    expect(input.sink.received[0]!.get('[@metadata][input][snmptrap][pdu]')).toEqual(pdu)
  })

  it('makes an event of a trap of version 2c, names of ECS', async () => {
    const { input, port } = await listening({ target: 'snmp' }, { ecs: 'v8' })
    const session = library.createSession('127.0.0.1', 'public', {
      trapPort: port,
      version: constants.Version2c,
    })
    await trap(session, TrapType!['LinkDown'], { upTime: 1500 })
    const [fields] = await input.sink.waitFor(1)
    expect(fields).toMatchObject({
      host: { ip: '127.0.0.1' },
      snmp: { 'SNMPv2-MIB::sysDescr.0': 'test one', 'SNMPv2-MIB::snmpTrapOID.0': 'IF-MIB::linkDown' },
    })
    expect(input.sink.received[0]!.get('[@metadata][input][snmptrap][pdu][type]')).toBe('TRAP')
    expect(input.sink.received[0]!.get('[@metadata][input][snmptrap][pdu][version]')).toBe('2c')
  })

  it('makes an event of an encrypted trap of version 3', async () => {
    const { input, port } = await listening({
      supported_versions: ['3'],
      security_name: 'me',
      security_level: 'authPriv',
      auth_protocol: 'sha2',
      auth_pass: 'authentication',
      priv_protocol: 'aes',
      priv_pass: 'encryption',
    })
    const session = library.createV3Session('127.0.0.1', user, { trapPort: port })
    await trap(session, TrapType!['LinkUp'])
    await input.sink.waitFor(1)
    expect(input.sink.received[0]!.get('[@metadata][input][snmptrap][pdu][version]')).toBe('3')
  })

  it('takes only its communities and versions', async () => {
    const { input, port } = await listening({ community: ['mine'], supported_versions: ['2c'] })
    for (const [community, version] of [
      ['public', constants.Version2c],
      ['mine', constants.Version1],
      ['mine', constants.Version2c],
    ] as const) {
      await trap(
        library.createSession('127.0.0.1', community, { trapPort: port, version }),
        TrapType!['ColdStart'],
      )
    }
    await input.sink.waitFor(1)
    await wait(50)
    expect(input.sink.received).toHaveLength(1)
  })

  it.each([[{ local_engine_id: 'my engine' }], [{}]])('tells who asks its engine: %j', async (options) => {
    const { port } = await listening(options)
    // RFC 3414, section 4: a question without an engine ID, answered by a report with it.
    const question = Buffer.from(
      '303e0201033011020400000001020300ffe30401040201030410300e0400020100020100040004000400' +
        '301404000400a00e0204000000010201000201003000',
      'hex',
    )
    const socket = createSocket('udp4')
    const answer = new Promise<Buffer>((resolve) => socket.once('message', resolve))
    socket.send(question, port, '127.0.0.1')
    expect((await answer).includes('my engine')).toBe('local_engine_id' in options)
    socket.close()
  })

  it.each([
    ['mib_paths', 'own::here.0'],
    ['yamlmibdir', 'own::here.0'],
    [undefined, 'SNMPv2-MIB::sysDescr.0'],
  ])('names OIDs by the files in %s', async (option, name) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-mib-'))
    writeFileSync(join(folder, 'own.yaml'), '---\nhere: 1.3.6.1.2.1.1.1\n')
    const { input, port } = await listening(option === undefined ? {} : { [option]: folder })
    const version = constants.Version2c
    await trap(library.createSession('127.0.0.1', 'public', { trapPort: port, version }), TrapType!['LinkUp'])
    expect(Object.keys((await input.sink.waitFor(1))[0]!)).toContain(name)
  })

  it('answers informs', async () => {
    const { input, port } = await listening()
    const session = library.createSession('127.0.0.1', 'public', {
      trapPort: port,
      version: constants.Version2c,
    })
    await new Promise<void>((resolve, reject) => {
      session.inform(TrapType!['LinkDown'], varbinds, {}, (error) => (error ? reject(error) : resolve()))
    })
    session.close()
    await input.sink.waitFor(1)
    expect(input.sink.received[0]!.get('[@metadata][input][snmptrap][pdu][type]')).toBe('INFORM')
  })
})
