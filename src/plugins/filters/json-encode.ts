/**
 * json_encode: a field as JSON text.
 */
import { writeJson } from '../../event/json-write.ts'
import { defineFilter, option } from '../../plugin/define.ts'

export default defineFilter({
  name: 'json_encode',
  oneToOne: true,
  summary: 'Writes a field as JSON text.',
  options: {
    source: option.string({ required: true, doc: 'The field to write.' }),
    target: option.string({ doc: 'Field for the text; the source itself unless given.' }),
  },
  examples: [
    {
      title: 'A map as text',
      config: 'json_encode { source => "data" target => "text" remove_field => ["data"] }',
      in: { data: { a: [1, 'two', null] } },
      out: { text: '{"a":[1,"two",null]}' },
    },
  ],
  create({ options: { source, target }, compile, logger, matched }) {
    const get = compile.get(source)
    const set = compile.set(target ?? source)
    return {
      filter(event) {
        try {
          // A field that is missing is nil for Ruby.
          set(event, writeJson(get(event) ?? null))
          matched(event)
        } catch (exception) {
          logger.warn('Error generating JSON', { source, exception })
          event.tag('_jsongeneratefailure')
        }
        return false
      },
    }
  },
})
