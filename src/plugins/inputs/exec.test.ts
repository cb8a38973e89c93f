import { mkdtemp, readFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { inputFor } from '../../plugin/testing.ts'
import exec from './exec.ts'

describe('exec input', () => {
  it('takes the output of a command as one event, again and again', async () => {
    const { instance, sink } = inputFor(exec, { command: "printf 'a\\nb\\n'; exit 3", interval: 0.01 })
    await instance.register?.()
    const running = instance.run(sink)
    const [first, second] = await sink.waitFor(2)
    await instance.stop()
    await running
    expect(first).toEqual({
      message: 'a\nb\n',
      host: hostname(),
      command: "printf 'a\\nb\\n'; exit 3",
      '@metadata': { exit_status: 3, duration: expect.anything() },
    })
    const duration = sink.received[0]!.get('[@metadata][duration]')
    expect(typeof duration === 'number' || duration instanceof LsFloat).toBe(true)
    expect(second).toMatchObject({ message: 'a\nb\n' })
  })

  it('uses the names of ECS, and keeps fields that are there', async () => {
    const { instance, sink } = inputFor(
      exec,
      { command: 'true', interval: 60, add_field: { '[host][name]': 'mine' } },
      { ecs: 'v8' },
    )
    const running = instance.run(sink)
    const [event] = await sink.waitFor(1)
    await instance.stop()
    await running
    expect(event).toMatchObject({
      message: '',
      host: { name: 'mine' },
      process: { command_line: 'true', exit_code: 0 },
      '@metadata': { input: { exec: { process: { elapsed_time: expect.any(Number) } } } },
    })
  })

  it('ends a running command, with its children, when it stops', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'millrace-exec-')), 'pid')
    const { instance, sink } = inputFor(exec, { command: `echo $$ > ${file}; sleep 60 | cat`, interval: 1 })
    const running = instance.run(sink)
    let pid = ''
    for (let i = 0; i < 500 && pid === ''; i++) {
      pid = await readFile(file, 'utf8').catch(() => '')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await instance.stop()
    await running
    expect(sink.received).toEqual([])
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
    await instance.close?.()
  })

  it('runs on a schedule', async () => {
    const { instance, sink } = inputFor(exec, { command: 'echo x', schedule: '* * * * * *' })
    const running = instance.run(sink)
    expect((await sink.waitFor(1))[0]).toMatchObject({ message: 'x\n' })
    await instance.stop()
    await running
  })

  it.each([{}, { interval: 1, schedule: '* * * * *' }])('refuses %j', (options) => {
    const { instance } = inputFor(exec, { command: 'x', ...options })
    expect(() => instance.register?.()).toThrow(
      "exec input: either 'interval' or 'schedule' option must be defined.",
    )
  })
})
