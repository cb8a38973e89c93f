/** The plain codec: a payload is a message, whole; events are written as a line of text without its end. */
import { defineCodec, option } from '../../plugin/define.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { messageEvents } from '../decoding/message-event.ts'

export default defineCodec({
  name: 'plain',
  summary: 'Takes each payload as one message, and writes events as text without a delimiter.',
  options: {
    charset: charsetOption,
    format: option.string({
      doc: 'What to write for each event, with `%{…}` placeholders; time, host and message unless given.',
    }),
  },
  examples: [
    {
      title: 'A payload becomes a message',
      config: 'plain { ecs_compatibility => "disabled" }',
      decode: { text: 'two\nlines', out: [{ message: 'two\nlines' }] },
    },
    {
      title: 'Write one field',
      config: 'plain { format => "user %{user}" }',
      encode: { in: { user: 'kim' }, text: 'user kim' },
    },
  ],
  create({ options: { charset, format }, ecs, compile }) {
    const template = format === undefined ? undefined : compile.template(format)
    const messageEvent = messageEvents(ecs !== 'disabled')
    return {
      ...decodeText(charset, (text, emit, time) => emit(messageEvent(text, time))),
      encode: template ?? ((event) => event.toString()),
    }
  },
})
