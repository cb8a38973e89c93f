/** Reads events from a Unix socket, as a server or as a client. Each connection is a stream of its own. */
import { once } from 'node:events'
import { unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { orAborted, Stop } from '../receiving/stop.ts'
import { Connection } from './tcp/connection.ts'

const reconnectMilliseconds = 1000

export default defineInput({
  name: 'unix',
  summary: 'Reads events from a Unix socket.',
  codec: 'line',
  originLast: true,
  options: {
    path: option.string({ required: true, doc: 'Path of the socket.' }),
    mode: option.oneOf(['server', 'client'] as const, {
      default: 'server',
      doc: 'Whether to make the socket and wait for connections, or to connect to it.',
    }),
    force_unlink: option.boolean({
      default: false,
      doc: 'Whether to remove a file that is in the way of the socket.',
    }),
    data_timeout: option.number({
      default: -1,
      doc: 'Seconds without data after which a connection is closed; -1 for never.',
    }),
    socket_not_present_retry_interval_seconds: option.number({
      default: 5,
      doc: 'Seconds to wait, as a client, for a socket that does not exist yet.',
    }),
  },
  create({ options, ecs, logger, abort }) {
    const { path, mode, data_timeout } = options
    const stop = new Stop()
    const connections = new Set<Connection>()
    const early: Socket[] = []
    const origin: Origin = {
      fields:
        ecs === 'disabled'
          ? [
              ['host', hostname()],
              ['path', path],
            ]
          : [
              ['[host][name]', hostname()],
              ['[file][path]', path],
            ],
    }
    let server: Server | undefined
    let accept: (socket: Socket) => void = (socket) => {
      socket.on('error', () => undefined)
      early.push(socket)
    }

    const open = async (): Promise<Server> => {
      const opened = createServer((socket) => accept(socket))
      opened.listen(path)
      await once(opened, 'listening')
      opened.on('error', (error) => logger.error('unix input listener failed', { message: error.message }))
      return opened
    }

    const listen = async (): Promise<Server> => {
      try {
        return await open()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
        if (options.force_unlink) {
          await unlink(path)
          return open()
        }
        logger.error('Could not start UNIX server: Address in use', { path })
        throw error
      }
    }

    const read = (socket: Socket, sink: Sink): Connection => {
      if (data_timeout > 0) {
        socket.setTimeout(data_timeout * 1000, () => {
          logger.info('Closing connection after read timeout', { path })
          socket.destroy()
        })
      }
      const connection = new Connection(socket, {
        proxyProtocol: false,
        logger,
        open: async () => sink.stream(origin),
      })
      connections.add(connection)
      void connection.ended.then(() => connections.delete(connection))
      return connection
    }

    const finishAll = async () => {
      await orAborted(Promise.all([...connections].map((connection) => connection.finish())), abort)
      for (const connection of connections) connection.destroy()
    }

    const readAsClient = async (sink: Sink): Promise<void> => {
      while (!stop.isRequested) {
        const socket = connect(path)
        try {
          await once(socket, 'connect')
        } catch (error) {
          const seconds = options.socket_not_present_retry_interval_seconds
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
          logger.warn(`Socket not present, wait for ${seconds} seconds for socket to appear`, {
            client: path,
          })
          await stop.sleep(seconds * 1000)
          continue
        }
        logger.debug('Opened connection', { client: path })
        const connection = read(socket, sink)
        await stop.during(connection.ended)
        if (stop.isRequested) await finishAll()
        else if (!connection.used) await stop.sleep(reconnectMilliseconds)
      }
    }

    const close = () => {
      server?.close()
      server = undefined
      for (const socket of early.splice(0)) socket.destroy()
      for (const connection of connections) connection.destroy()
    }

    return {
      async register() {
        if (mode === 'server') server = await listen()
      },
      async run(sink) {
        if (mode === 'client') return readAsClient(sink)
        server ??= await listen()
        accept = (socket) => void read(socket, sink)
        for (const socket of early.splice(0)) accept(socket)
        await stop.requested
        server.close()
        server = undefined
        await finishAll()
      },
      stop() {
        stop.request()
      },
      close,
    }
  },
})
