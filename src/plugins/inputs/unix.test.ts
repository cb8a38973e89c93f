import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inputFor } from '../../plugin/testing.ts'
import unix from './unix.ts'

async function socketPath(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'millrace-unix-')), 'socket')
}

describe('unix input', () => {
  it('reads lines from those who connect', async () => {
    const path = await socketPath()
    const { instance, sink } = inputFor(unix, { path, add_field: { path: 'mine' } })
    await instance.register?.()
    const early = connect(path)
    await once(early, 'connect')
    early.end('one\ntwo')
    const running = instance.run(sink)
    expect(await sink.waitFor(2)).toEqual([
      { message: 'one', host: hostname(), path: 'mine' },
      { message: 'two', host: hostname(), path: 'mine' },
    ])
    await instance.stop()
    await running
    await instance.close?.()
  })

  it('connects as a client, once the socket is there, and with ECS', async () => {
    const path = await socketPath()
    const { instance, sink, environment } = inputFor(
      unix,
      { path, mode: 'client', socket_not_present_retry_interval_seconds: 0.02 },
      { ecs: 'v8' },
    )
    const running = instance.run(sink)
    for (let i = 0; i < 500 && environment.logger.lines.length === 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(environment.logger.messages('warn')[0]).toBe(
      'Socket not present, wait for 0.02 seconds for socket to appear',
    )
    const server = createServer((socket) => socket.end('x\n'))
    server.listen(path)
    expect((await sink.waitFor(1))[0]).toEqual({
      message: 'x',
      host: { name: hostname() },
      file: { path },
    })
    await instance.stop()
    await running
    server.close()
  })

  it('removes what is in its way only when told to', async () => {
    const path = await socketPath()
    await writeFile(path, '')
    const refused = inputFor(unix, { path })
    await expect(refused.instance.register?.()).rejects.toThrow('EADDRINUSE')
    expect(refused.environment.logger.messages('error')).toEqual([
      'Could not start UNIX server: Address in use',
    ])
    const forced = inputFor(unix, { path, force_unlink: true })
    await forced.instance.register?.()
    await forced.instance.close?.()
  })

  it('closes connections that say nothing', async () => {
    const path = await socketPath()
    const { instance, sink } = inputFor(unix, { path, data_timeout: 0.05 })
    await instance.register?.()
    const running = instance.run(sink)
    const socket = connect(path)
    socket.resume()
    await once(socket, 'close')
    await instance.stop()
    await running
  })
})
