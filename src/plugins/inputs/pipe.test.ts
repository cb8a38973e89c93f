import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { inputFor } from '../../plugin/testing.ts'
import pipe from './pipe.ts'

describe('pipe input', () => {
  it('makes an event of every line, while the command still runs', async () => {
    const command = "printf 'a\\nb\\n'; sleep 60"
    const { instance, sink } = inputFor(pipe, { command, type: 't' })
    const running = instance.run(sink)
    expect(await sink.waitFor(2)).toEqual([
      { message: 'a', host: hostname(), command, type: 't' },
      { message: 'b', host: hostname(), command, type: 't' },
    ])
    await instance.stop()
    await running
  })

  it('takes a last line without end, and uses the names of ECS', async () => {
    const { instance, sink } = inputFor(pipe, { command: 'printf x' }, { ecs: 'v8' })
    const running = instance.run(sink)
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({
      message: 'x',
      host: { name: hostname() },
      process: { command_line: 'printf x' },
    })
    await instance.stop()
    await running
  })
})
