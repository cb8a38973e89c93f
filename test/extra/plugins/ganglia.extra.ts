/** The ganglia input with a real gmond that sends to it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, Millrace, OUT } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

const running: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const process of running.splice(0).reverse()) await process.dispose()
})

describe('ganglia input', () => {
  it('makes events of the metrics of gmond', async () => {
    const port = await freePort()
    const millrace = await Millrace.start({
      config: `input { ganglia { host => "127.0.0.1" port => ${port} } } ${OUT}`,
    })
    running.push(millrace)
    await millrace.untilStarted(60_000)
    const folder = serverFolder('gmond')
    const modules = runCommand('sh', ['-c', 'find /usr/lib -name modload.so | head -1']).trim()
    writeFileSync(
      join(folder, 'gmond.conf'),
      `globals { daemonize = no setuid = no debug_level = 0 max_udp_msg_len = 1472 mute = no deaf = yes host_dmax = 0 send_metadata_interval = 1 }
cluster { name = "test" }
udp_send_channel { host = 127.0.0.1 port = ${port} }
modules { module { name = "core_metrics" } module { name = "load_module" path = "${modules}" } }
collection_group { collect_every = 1 time_threshold = 1 metric { name = "load_one" value_threshold = "0.0" } }
`,
    )
    const server = await ServerProcess.start({
      command: commandPath('gmond'),
      args: ['-f', '-c', join(folder, 'gmond.conf')],
      folder,
    })
    running.push(server)
    await millrace.until(() => millrace.events().some(({ name }) => name === 'load_one'), 60_000)
    expect(millrace.events().find(({ name }) => name === 'load_one')).toMatchObject({
      program: 'ganglia',
      type: 'float',
      slope: 'both',
      host: '127.0.0.1',
    })
  })
})
