/** Options of inputs that listen: where they do. */
import { option } from '../../plugin/define.ts'

const host = option.string({ default: '0.0.0.0', doc: 'Address to listen on.' })

export const listenOptions = { host, port: option.number({ required: true, doc: 'Port to listen on.' }) }

/** For inputs whose protocol has a usual port. */
export function listenOptionsAt(port: number) {
  return { host, port: option.number({ default: port, doc: 'Port to listen on.' }) }
}
