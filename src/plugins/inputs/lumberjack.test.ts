import { once } from 'node:events'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { inputFor } from '../../plugin/testing.ts'
import plain from '../codecs/plain.ts'
import { compressedFrame, dataFrame, LumberjackClient, windowFrame } from '../lumberjack/test-client.ts'
import { certificateFiles, testCertificate } from '../tls/test-certificate.ts'
import lumberjack from './lumberjack.ts'

describe('lumberjack input', () => {
  it('takes encrypted windows of version 1 and acknowledges them when they are safe', async () => {
    const { certificate, key } = await certificateFiles()
    const { instance, sink, environment } = inputFor(
      lumberjack,
      { host: '127.0.0.1', port: 0, ssl_certificate: certificate, ssl_key: key },
      { codecs: [plain] },
    )
    await instance.register?.()
    const running = instance.run(sink)
    const { fields } = environment.logger.lines.find(
      ({ message }) => message === 'Starting lumberjack input listener',
    )!
    const socket = connect({ port: Number(String(fields!['address']).split(':').pop()), ca: testCertificate })
    await once(socket, 'secureConnect')
    const sender = new LumberjackClient(socket)
    const frames = Buffer.concat([
      dataFrame(1, { line: 'one', host: 'h', file: '/x' }),
      dataFrame(2, { line: 'two', host: 'h' }),
    ])
    sink.hold()
    sender.send(windowFrame(2, '1'), compressedFrame(frames, '1'))
    await sink.waitFor(2)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = sender.socket.bytesRead
    sink.release()
    expect(await sender.ack()).toBe('1A2')
    expect(sender.socket.bytesRead - before).toBe(6)
    expect(sink.fields()).toMatchObject([
      { message: 'one', host: 'h', file: '/x' },
      { message: 'two', host: 'h' },
    ])
    expect(sink.fields()[0]).not.toHaveProperty('tags')
    sender.close()
    await instance.stop()
    await running
  })
})
