/** Options of plugins that connect to a server by its host and port. */
import { option } from '../../plugin/define.ts'

const hostDoc = (server: string) => `Address or name of ${server}.`
const portOption = (port: number, server: string) =>
  option.number({ default: port, doc: `Port of ${server}.` })

/** For a server that is on this machine unless something else is said. */
export const serverOptions = (port: number, server = 'the server', host = 'localhost') => ({
  host: option.string({ default: host, doc: hostDoc(server) }),
  port: portOption(port, 'the server'),
})

/** For a server that has to be named. */
export const namedServerOptions = (port: number, server = 'the server') => ({
  host: option.string({ required: true, doc: hostDoc(server) }),
  port: portOption(port, server),
})
