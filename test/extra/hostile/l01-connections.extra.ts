/** Table L, rows 1 to 3: outputs that take nothing, connections that only sit there, clients that never finish. */
import { createServer, type Socket } from 'node:net'
import { LumberjackClient, windowOf } from '../../../src/plugins/lumberjack/test-client.ts'
import { freePort } from '../../support/millrace.ts'
import { all, attack, slack } from './support/attack.ts'
import { flood, open, openMany, pause, soon } from './support/sockets.ts'

attack(
  {
    id: 'L1',
    attack: 'dead output, a sender at full speed for 20 s',
    wanted: 'alive, RSS <= 400 MB, sender blocked, API p99 <= 100 ms',
  },
  async ({ start, cleanup }) => {
    const [port, dead] = [await freePort(), await freePort()]
    // Accepts and never reads.
    const receiver = createServer((socket) => socket.pause().on('error', () => {})).listen(dead, '127.0.0.1')
    cleanup(() => receiver.close())
    const victim = await start({
      config: `input { tcp { host => "127.0.0.1" port => ${port} } } output { tcp { host => "127.0.0.1" port => ${dead} } }`,
    })
    const pings = victim.ping(`${victim.api}/_node/stats/events`)
    const socket = (await open(port))!
    cleanup(() => socket.destroy())
    const block = Buffer.from(`${'x'.repeat(1000)}\n`.repeat(64))
    const before = await flood(socket, block, { milliseconds: 15_000 })
    const after = await flood(socket, block, { milliseconds: 5000 })
    const { p99, failures } = await pings.stop()
    const { peak } = victim
    return all({
      'RSS MB': [peak, victim.isAlive && peak <= 400],
      'MB taken': [before / 1e6, true],
      'MB taken at the end': [after / 1e6, after < 5e6],
      'API p99 ms': [p99, p99 <= 100 * slack],
      'failed pings': [failures, failures === 0],
    })
  },
)

attack(
  {
    id: 'L2',
    attack: '10,000 idle tcp and beats connections and 100 active ones',
    wanted: 'all accepted, RSS <= 400 MB, active p99 <= 2x baseline, files back to baseline in 30 s',
  },
  async ({ start, cleanup }) => {
    const [tcp, beats] = [await freePort(), await freePort()]
    const victim = await start({
      config: `input { tcp { host => "127.0.0.1" port => ${tcp} } beats { host => "127.0.0.1" port => ${beats} } } output { null { } }`,
    })
    const files = victim.files
    const clients = await Promise.all(Array.from({ length: 100 }, () => LumberjackClient.connect(beats)))
    cleanup(() => {
      for (const client of clients) client.close()
    })
    const baseline = await acknowledgements(clients, 20)
    const idle = [...(await openMany(tcp, 5000)), ...(await openMany(beats, 5000))]
    cleanup(() => {
      for (const socket of idle) socket.destroy()
    })
    const busy = await acknowledgements(clients, 20)
    const open = idle.filter((socket) => !socket.destroyed).length
    const { peak } = victim
    for (const socket of idle) socket.destroy()
    for (const client of clients) client.close()
    await soon(() => victim.files <= files + 20, 30_000)
    return all({
      accepted: [open, open === 10_000],
      'RSS MB': [peak, peak <= 400],
      'baseline p99 ms': [baseline, true],
      'active p99 ms': [busy, busy <= Math.max(2 * baseline, 20) * slack],
      'files left': [victim.files - files, victim.files <= files + 20],
    })
  },
)

/** Each client sends windows of one event, the next when the last was acknowledged; the 99th percentile in ms. */
async function acknowledgements(clients: readonly LumberjackClient[], rounds: number): Promise<number> {
  const times: number[] = []
  await Promise.all(
    clients.map(async (client) => {
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        client.send(windowOf([{ message: 'hello' }]))
        if ((await client.ack()) === 'closed') throw new Error('an active connection was closed')
        times.push(performance.now() - began)
        await pause(50)
      }
    }),
  )
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

attack(
  {
    id: 'L3',
    attack: '1,000 slow clients on each of 9600, 9200 and the http input: headers and bodies byte by byte',
    wanted: 'good client p99 <= 250 ms on each, slow sockets closed <= 40 s',
  },
  async ({ start, cleanup }) => {
    const http = await freePort()
    const victim = await start({
      config: `input { http { host => "127.0.0.1" port => ${http} } } output { null { } }`,
    })
    const ports = [victim.millrace.apiPort!, victim.millrace.searchPort!, http]
    const good = [
      victim.ping(`${victim.api}/_node/stats/events`),
      victim.ping(`${victim.search}/_cluster/health`),
      victim.ping(`http://127.0.0.1:${http}/`, { message: 'good' }),
    ]
    const slow: Socket[] = []
    cleanup(() => {
      for (const socket of slow) socket.destroy()
    })
    for (const port of ports) slow.push(...(await openMany(port, 1000)))
    slow.forEach((socket, i) => {
      socket.write(
        i % 2 === 0
          ? 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
          : 'POST /a/_doc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
      )
    })
    const began = performance.now()
    const timer = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write('a')
    }, 1000)
    cleanup(() => clearInterval(timer))
    await soon(() => slow.every((socket) => socket.destroyed), 45_000)
    const left = slow.filter((socket) => !socket.destroyed).length
    const seconds = (performance.now() - began) / 1000
    const [api, search, input] = await Promise.all(good.map((pings) => pings.stop()))
    return all({
      'slow sockets left': [left, left === 0],
      'after s': [seconds, seconds <= 40 * slack],
      'API p99 ms': [api!.p99, api!.p99 <= 250 * slack],
      'search p99 ms': [search!.p99, search!.p99 <= 250 * slack],
      'input p99 ms': [input!.p99, input!.p99 <= 250 * slack],
      'refused good requests': [
        `${api!.failures}, ${search!.failures}, ${input!.failures} of ${api!.count}, ${search!.count}, ${input!.count}`,
        api!.failures + search!.failures + input!.failures === 0,
      ],
    })
  },
)
