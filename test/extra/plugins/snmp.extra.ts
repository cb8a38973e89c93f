/** The snmp and snmptrap inputs with the agent and the tools of Net-SNMP. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, Millrace } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

const running: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const process of running.splice(0).reverse()) await process.dispose()
})

async function start(config: string): Promise<Millrace> {
  const output =
    'output { stdout { codec => rubydebug { metadata => true } } stdout { codec => json_lines } }'
  const millrace = await Millrace.start({ config: `${config} ${output}` })
  running.push(millrace)
  await millrace.untilStarted(60_000)
  return millrace
}

describe('snmp input', () => {
  it.each([
    ['version => "2c"', ''],
    ['version => "1"', ''],
    [
      'version => "3"',
      'security_name => "me" security_level => "authPriv" auth_protocol => "sha" auth_pass => "authentication" priv_protocol => "aes" priv_pass => "encryption"',
    ],
  ])('asks snmpd with %s', async (version, user) => {
    const port = await freePort()
    const folder = serverFolder('snmpd')
    writeFileSync(
      join(folder, 'snmpd.conf'),
      `agentaddress udp:127.0.0.1:${port}
sysLocation the shelf
rocommunity public 127.0.0.1
createUser me SHA authentication AES encryption
rouser me
`,
    )
    const server = await ServerProcess.start({
      command: commandPath('snmpd'),
      args: ['-f', '-Lo', '-C', '-c', join(folder, 'snmpd.conf'), '-p', join(folder, 'pid')],
      env: { SNMP_PERSISTENT_DIR: folder },
      folder,
    })
    running.push(server)
    const millrace = await start(`input { snmp {
      hosts => [{ host => "udp:127.0.0.1/${port}" ${version} retries => 10 }] ${user}
      get => ["1.3.6.1.2.1.1.6.0"] walk => ["1.3.6.1.2.1.1"] interval => 1
      tables => [{ "name" => "interfaces" "columns" => ["1.3.6.1.2.1.2.2.1.1", "1.3.6.1.2.1.2.2.1.2"] }] } }`)
    await millrace.until(() => millrace.events().some((event) => event['interfaces'] !== undefined), 60_000)
    const event = millrace.events().find((one) => one['interfaces'] !== undefined)!
    expect(event['iso.org.dod.internet.mgmt.mib-2.system.sysLocation.0']).toBe('the shelf')
    expect(JSON.stringify(event['interfaces'])).toContain('"lo"')
    // An agent that is gone is an event with a tag, and one that is back is asked again.
    await server.end('SIGKILL')
    await millrace.until(
      () => millrace.events().some(({ tags }) => JSON.stringify(tags) === '["_snmpfailure"]'),
      60_000,
    )
  })
})

describe('snmptrap input', () => {
  it('receives what snmptrap sends', async () => {
    const port = await freePort()
    const millrace = await start(`input { snmptrap { host => "127.0.0.1" port => ${port} } }`)
    await millrace.until('SNMP trap receiver started')
    const target = `127.0.0.1:${port}`
    const binding = ['1.3.6.1.2.1.1.6.0', 's', 'the shelf']
    runCommand('snmptrap', ['-v', '2c', '-c', 'public', target, '', '1.3.6.1.6.3.1.1.5.3', ...binding])
    runCommand('snmptrap', [
      '-v',
      '1',
      '-c',
      'public',
      target,
      '1.3.6.1.4.1.2000',
      '192.0.2.1',
      '6',
      '17',
      '55',
      ...binding,
    ])
    await millrace.until(() => millrace.events().length === 2)
    const [second, first] = millrace.events().map((event) => JSON.parse(String(event['message'])))
    expect(millrace.events()[0]).toMatchObject({
      'SNMPv2-MIB::sysLocation.0': 'the shelf',
      host: '127.0.0.1',
    })
    expect(second).toMatchObject({ type: 'TRAP', version: '2c', community: 'public' })
    expect(first).toMatchObject({
      type: 'V1TRAP',
      version: '1',
      specific_trap: 17,
      enterprise: '1.3.6.1.4.1.2000',
    })
  })
})
