/** The event that the text codecs make of a piece of text; ECS keeps the text a second time, untouched. */
import { Event } from '../../event/event.ts'
import { LineText } from '../../event/raw-text.ts'
import type { Timestamp } from '../../event/timestamp.ts'

type MessageEvent = (message: string, time: Timestamp) => Event

export function messageEvents(keepOriginal: boolean): MessageEvent {
  let known: Timestamp | undefined
  let raw: LineText
  // All lines of a frame carry the same time object, so one text serves them all.
  const rawFor = (time: Timestamp): LineText => {
    if (time !== known) {
      known = time
      raw = new LineText(
        `{"@timestamp":"${time}","@version":"1","message":`,
        keepOriginal ? ',"event":{"original":' : undefined,
        keepOriginal ? '}}' : '}',
      )
    }
    return raw
  }
  return (message, time) => {
    const event = new Event(
      keepOriginal
        ? { '@timestamp': time, '@version': '1', message, event: { original: message } }
        : { '@timestamp': time, '@version': '1', message },
    )
    event.raw = rawFor(time)
    return event
  }
}
