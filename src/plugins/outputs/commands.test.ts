/** Outputs that hand events to other programs: pipe, exec, nagios, nagios_nsca. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutputDefinition } from '../../plugin/define.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import line from '../codecs/line.ts'
import exec from './exec.ts'
import nagios from './nagios.ts'
import nagiosNsca from './nagios-nsca.ts'
import pipe from './pipe.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-commands-'))
})
const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function output(definition: OutputDefinition, options: TestOptions) {
  const made = outputFor(definition, options, { codecs: [line] })
  await made.instance.register?.()
  atEnd.push(() => made.instance.close?.())
  return made
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('pipe', () => {
  it('writes to a command that stays, one per text of the command', async () => {
    const { deliver, instance } = await output(pipe, {
      command: `cat >> ${folder}/%{f}`,
      message_format: 'm: %{m}',
    })
    await deliver([
      { f: 'a', m: 1 },
      { f: 'b', m: 2 },
    ])
    await deliver([{ f: 'a', m: 3 }])
    await instance.close!()
    expect([read('a'), read('b')]).toEqual(['m: 1\nm: 3\n', 'm: 2\n'])
  })

  it('uses its codec, and starts a command that ended again', async () => {
    const { deliver, instance } = await output(pipe, { command: `head -n 1 >> ${folder}/a`, codec: 'line' })
    await deliver([{ message: 'one' }])
    await expect.poll(() => read('a')).toContain('one')
    await expect
      .poll(
        async () => {
          await deliver([{ message: 'two' }])
          return read('a')
        },
        { timeout: 10_000 },
      )
      .toContain('two')
    await instance.close!()
  })

  it.each([
    [1, true],
    [-1, false],
  ])('with ttl => %s: a command that gets nothing for so long is ended: %s', async (ttl, isEnded) => {
    const { deliver } = await output(pipe, {
      command: `cat > ${folder}/a; echo ended > ${folder}/end`,
      message_format: '%{m}',
      ttl,
    })
    await deliver([{ m: 1 }])
    const ended = () => existsSync(join(folder, 'end'))
    if (isEnded) await expect.poll(ended, { timeout: 20_000 }).toBe(true)
    else await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(ended()).toBe(isEnded)
  })

  it('gives up events whose command never takes them', async () => {
    const { deliver } = await output(pipe, { command: 'exec false', message_format: '%{m}' })
    await expect(
      (async () => {
        for (let i = 0; i < 50; i++) await deliver([{ m: 'x'.repeat(300_000) }])
      })(),
    ).rejects.toThrow()
  })
})

describe('exec', () => {
  it('runs a command per event, in order, and goes on after a failure', async () => {
    const { deliver, environment } = await output(exec, {
      command: `echo %{n} >> ${folder}/a; echo out; exit %{n}`,
    })
    await deliver([{ n: 0 }, { n: 3 }, { n: 0 }])
    expect(read('a')).toBe('0\n3\n0\n')
    expect(environment.logger.lines.find(({ level }) => level === 'info')!.fields).toEqual({
      stdout: 'out\n',
    })
    expect(environment.logger.messages('warn')).toEqual(['Command exited with a failure'])
  })

  it('is quiet if wanted', async () => {
    const { deliver, environment } = await output(exec, { command: 'echo out', quiet: true })
    await deliver([{}])
    expect(environment.logger.messages('info')).toEqual([])
  })
})

describe('nagios', () => {
  it('writes check results into the command file', async () => {
    const commandfile = join(folder, 'nagios.cmd')
    execFileSync('mkfifo', [commandfile])
    const reader = await open(commandfile, 'r+')
    const { deliver, environment } = await output(nagios, { commandfile })
    await deliver([
      { nagios_host: 'h', nagios_service: 's;x', nagios_annotation: 'disk', message: 'full\nvery' },
      { nagios_host: ['h2', 'x'], nagios_service: 's', nagios_level: 1, message: 'm' },
      { nagios_host: 'h', message: 'm' },
    ])
    const { buffer, bytesRead } = await reader.read(Buffer.alloc(4096), 0, 4096)
    await reader.close()
    expect(buffer.toString('utf8', 0, bytesRead)).toBe(
      '[1443675967] PROCESS_SERVICE_CHECK_RESULT;h;s x;2;disk: full<br/>very\n' +
        '[1443675967] PROCESS_SERVICE_CHECK_RESULT;h2;s;1;m\n',
    )
    expect(environment.logger.messages('warn')).toEqual([
      'Skipping nagios output; nagios_service field is missing',
    ])
  })

  it('does not wait for a reader', async () => {
    const commandfile = join(folder, 'nagios.cmd')
    execFileSync('mkfifo', [commandfile])
    const { deliver, environment } = await output(nagios, { commandfile })
    await deliver([{ nagios_host: 'h', nagios_service: 's' }])
    expect(environment.logger.messages('warn')).toEqual(['Skipping nagios output; command file is missing'])
  })
})

describe('nagios_nsca', () => {
  it('calls send_nsca with the result', async () => {
    const send_nsca_bin = join(folder, 'send_nsca')
    writeFileSync(send_nsca_bin, `#!/bin/sh\necho "$@" >> ${folder}/args\ncat >> ${folder}/input\n`)
    chmodSync(send_nsca_bin, 0o755)
    const { deliver } = await output(nagiosNsca, {
      send_nsca_bin,
      host: 'n',
      nagios_status: '%{status}',
      nagios_host: '%{h}',
      message_format: "%{message}'s",
    })
    await deliver([
      { h: 'a~b', status: 1, nagios_annotation: 'note', message: 'x' },
      { h: 'c', status: 'bad', message: 'y' },
    ])
    expect(read('args')).toBe('-H n -p 5667 -d ~\n-H n -p 5667 -d ~\n')
    expect(read('input')).toBe('a b~LOGSTASH~1~note: x&#146;s\nc~LOGSTASH~3~y&#146;s\n')
  })

  it('names the configuration file of the command', async () => {
    const send_nsca_bin = join(folder, 'send_nsca')
    writeFileSync(send_nsca_bin, `#!/bin/sh\necho "$@" >> ${folder}/args\ncat > /dev/null\n`)
    chmodSync(send_nsca_bin, 0o755)
    const options = { send_nsca_bin, nagios_status: '0', send_nsca_config: send_nsca_bin }
    await (await output(nagiosNsca, options)).deliver([{}])
    expect(read('args')).toBe(`-H localhost -p 5667 -d ~ -c ${send_nsca_bin}\n`)
  })

  it('logs what cannot be sent', async () => {
    const missing = await output(nagiosNsca, { send_nsca_bin: '/nowhere/send_nsca', nagios_status: '0' })
    await missing.deliver([{}])
    expect(missing.environment.logger.messages('warn')[0]).toMatch('send_nsca_bin file is missing')
    const failing = await output(nagiosNsca, { send_nsca_bin: '/bin/false', nagios_status: '0' })
    await failing.deliver([{}])
    expect(failing.environment.logger.messages('warn')[0]).toMatch('error calling send_nsca')
  })
})
