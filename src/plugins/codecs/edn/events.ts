/** What the codecs edn and edn_lines have in common. */
import { Event } from '../../../event/event.ts'
import { isFields } from '../../../event/value.ts'
import type { CodecInstance, PluginContext } from '../../../plugin/define.ts'
import { option } from '../../../plugin/define.ts'
import { readEdn } from './reader.ts'
import { writeEdn } from './writer.ts'

export const ednOptions = {
  target: option.fieldReference({
    doc: 'Field that takes the map, instead of its members becoming fields of the event.',
  }),
}

export function ednCodec(
  { options: { target }, compile, logger }: PluginContext<typeof ednOptions, Record<never, never>>,
  end: string,
): CodecInstance {
  const setTarget = target === undefined ? undefined : compile.set(target)
  return {
    decode(text, emit, time) {
      let event: Event
      try {
        const value = readEdn(text)
        if (!isFields(value)) throw new TypeError('the text is not a map')
        if (setTarget === undefined) event = Event.from(value, time)
        else {
          event = new Event({ '@timestamp': time, '@version': '1' })
          setTarget(event, value)
        }
      } catch (error) {
        const { name, message } = error as Error
        logger.warn('EDN parse failure. Falling back to plain-text', { error: `${name}: ${message}` })
        event = new Event({ '@timestamp': time, '@version': '1', message: text, tags: ['_ednparsefailure'] })
      }
      emit(event)
    },
    encode: (event) => writeEdn(event.data) + end,
  }
}
