/** Events of a batch whose sender has told their names: they keep them, so that a batch that comes twice is known again. */
import type { IncomingMessage } from 'node:http'
import { type Event, lastingName } from '../../../event/event.ts'
import type { CodecInstance, Origin, PayloadReader } from '../../../plugin/define.ts'
import { eventNamesHeader, readNames } from '../../event-names/http-header.ts'
import { payloadDecoder } from '../../receiving/payload-events.ts'

export function factsOf({ headers }: Pick<IncomingMessage, 'headers'>): Origin['facts'] | undefined {
  const text = headers[eventNamesHeader]
  if (typeof text !== 'string' || readNames(text) === undefined) return undefined
  return { names: text }
}

export function namedReader(codec: CodecInstance, decorate: (event: Event) => void): PayloadReader {
  const decode = payloadDecoder(codec)
  return {
    read(payload, { facts }, emit, time) {
      const names = readNames(String(facts?.['names'])) ?? []
      let position = 0
      const named = (event: Event): void => {
        const name = names[position++]
        if (name !== undefined) event.lineage = lastingName(`logstash ${name}`)
        decorate(event)
        emit(event)
      }
      decode(payload as Buffer, named, time)
    },
  }
}
