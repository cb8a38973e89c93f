/**
 * The es_bulk codec: the body of Elasticsearch bulk requests, read line by line. An action line goes into the
 * metadata of the event that the next line holds; a `delete` is an event without fields.
 */
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { type Fields, isFields, type Value } from '../../event/value.ts'
import { defineCodec, option, type StreamDecoder } from '../../plugin/define.ts'

const maxLoggedLength = 1000

export default defineCodec({
  name: 'es_bulk',
  summary: 'Reads the bulk format of Elasticsearch.',
  description:
    'What the action line says (index, id and the like, and the action itself as `action`) is kept in `@metadata`, ' +
    'in ECS mode in `[@metadata][codec][es_bulk]`.',
  options: {
    target: option.fieldReference({
      doc: 'Field that takes the document, instead of its members becoming fields of the event.',
    }),
  },
  examples: [
    {
      title: 'An action and its document',
      config: 'es_bulk { ecs_compatibility => "disabled" }',
      decode: {
        text: '{"index":{"_index":"i","_id":"1"}}\n{"a":1}\n',
        out: [{ a: 1, '@metadata': { _index: 'i', _id: '1', action: 'index' } }],
      },
    },
  ],
  create({ options: { target }, ecs, compile, logger }) {
    const setTarget = target === undefined ? undefined : compile.set(target)
    const setMetadata = compile.set(ecs === 'disabled' ? '[@metadata]' : '[@metadata][codec][es_bulk]')

    const decoder = (): StreamDecoder => {
      /** What the last action line said, while its document is still to come. */
      let action: Fields | undefined
      return {
        decode(text, emit, time) {
          if (text.trim() === '') return
          let value: Fields
          try {
            value = objectOf(parseJson(text))
          } catch (error) {
            logger.error('JSON parse failure. ES Bulk messages must in be UTF-8 JSON', {
              error: (error as Error).message,
              data: text.slice(0, maxLoggedLength),
            })
            return
          }
          if (action === undefined) {
            action = actionOf(value)
            if (action['action'] !== 'delete') return
            value = {}
          }
          const event =
            setTarget === undefined
              ? Event.from(value, time)
              : new Event({ '@timestamp': time, '@version': '1' })
          setTarget?.(event, value)
          setMetadata(event, action)
          action = undefined
          emit(event)
        },
        flush() {},
      }
    }
    return { delimiter: Buffer.from('\n'), decoder }
  },
})

function objectOf(value: Value): Fields {
  if (!isFields(value)) throw new TypeError('a line of a bulk request is an object')
  return value
}

/** `{"index":{"_id":1}}` says `{"_id":1,"action":"index"}`. */
function actionOf(line: Fields): Fields {
  const [name = ''] = Object.keys(line)
  const parameters = Object.hasOwn(line, name) ? line[name] : undefined
  return { ...(isFields(parameters) ? parameters : {}), action: name }
}
