/** The line codec: text cut into messages at a delimiter, and events written with the delimiter after each. */
import { defineCodec, option } from '../../plugin/define.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { messageEvents } from '../decoding/message-event.ts'

export default defineCodec({
  name: 'line',
  summary: 'Reads a stream of text line by line, and writes events as lines.',
  options: {
    charset: charsetOption,
    delimiter: option.string({ default: '\n', doc: 'What stands between two lines.' }),
    format: option.string({
      doc: 'What to write for each event, with `%{…}` placeholders; time, host and message unless given.',
    }),
  },
  examples: [
    {
      title: 'Lines become messages',
      config: 'line { ecs_compatibility => "disabled" }',
      decode: { text: 'one\ntwo\n', out: [{ message: 'one' }, { message: 'two' }] },
    },
    {
      title: 'Write one field per line',
      config: 'line { format => "user %{user}" }',
      encode: { in: { user: 'kim' }, text: 'user kim\n' },
    },
  ],
  create({ options: { charset, delimiter, format }, ecs, compile }) {
    const template = format === undefined ? undefined : compile.template(format)
    const messageEvent = messageEvents(ecs !== 'disabled')
    return {
      delimiter: Buffer.from(delimiter),
      ...decodeText(charset, (text, emit, time) => emit(messageEvent(text, time))),
      encode: (event) => (template === undefined ? event.toString() : template(event)) + delimiter,
    }
  },
})
