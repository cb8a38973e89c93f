/** The protobuf codec: a payload is one message of a type, in versions 2 and 3 of protocol buffers. */
import { Event } from '../../event/event.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineCodec, option } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { loadDefinitions } from './protobuf/definitions.ts'
import { readMessage, writeMessage } from './protobuf/message.ts'

export default defineCodec({
  name: 'protobuf',
  summary: 'Reads and writes events as protocol buffers.',
  description: [
    'Definitions are `.proto` files, or the Ruby files that `protoc` and `ruby-protoc` make of them. A payload that',
    'cannot be read becomes an event with its text in `message` and the tag `_protobufdecodefailure`. An event with',
    'fields that are not in the definition cannot be written; a leading `@` of names is left out.',
  ].join('\n'),
  options: {
    class_name: option.string({
      required: true,
      doc: 'Whole name of the message, such as `Animals.Unicorn`.',
    }),
    class_file: option.string({
      doc: 'File with its definition, absolute or below `protobuf_root_directory`.',
    }),
    protobuf_root_directory: option.path({ doc: 'Folder with all definitions it refers to.' }),
    include_path: option.array({ default: [], doc: 'Files with definitions, instead of the two above.' }),
    protobuf_version: option.number({ default: 2, doc: 'Version of protocol buffers, 2 or 3.' }),
    stop_on_error: option.boolean({
      default: false,
      doc: 'Whether a payload that cannot be read is an error, instead of an event with a tag.',
    }),
    pb3_encoder_autoconvert_types: option.boolean({
      default: true,
      doc: 'Whether texts and numbers are converted where the definition wants the other.',
    }),
    pb3_set_oneof_metainfo: option.boolean({
      default: false,
      doc: 'Whether `[@metadata][pb_oneof]` says which field of each `oneof` was there.',
    }),
  },
  concerns: (options) => startConcern('class_file', () => definitionsOf(options)),
  create({ options, logger }) {
    const { type, set } = definitionsOf(options)
    const { protobuf_version: version, stop_on_error } = options
    const settings = { set, version, converts: version === 3 && options.pb3_encoder_autoconvert_types }
    return {
      decodeBytes(bytes, emit, time) {
        const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        let event: Event
        try {
          const chosen = new Map<string, string>()
          const fields = readMessage(data, type, {
            ...settings,
            chosen: (oneof, field) => chosen.set(oneof, field),
          })
          event = Event.from(fields, time)
          if (options.pb3_set_oneof_metainfo && version === 3) {
            for (const [oneof, field] of chosen) event.set(`[@metadata][pb_oneof][${oneof}]`, field)
          }
        } catch (error) {
          logger.warn("Couldn't decode protobuf", { error: (error as Error).message })
          if (stop_on_error) throw error
          event = new Event({ '@timestamp': time, '@version': '1', message: utf8Text(data) })
          event.tag('_protobufdecodefailure')
        }
        emit(event)
      },
      encode: (event) => writeMessage(event.data, type, settings),
    }
  },
})

function definitionsOf(options: {
  class_name: string
  class_file: string | undefined
  protobuf_root_directory: string | undefined
  include_path: readonly unknown[]
}): ReturnType<typeof loadDefinitions> {
  const { class_name, class_file, protobuf_root_directory, include_path } = options
  if (class_file === undefined && include_path.length === 0)
    throw new Error('Need to specify `include_path` or `class_file`')
  if (include_path.length > 0 && (class_file !== undefined || protobuf_root_directory !== undefined))
    throw new Error('Cannot use `include_path` and `class_file` at the same time')
  return loadDefinitions({
    className: class_name,
    classFile: class_file,
    root: protobuf_root_directory,
    includePath: include_path.map((path) => textOf(path as string)),
  })
}
