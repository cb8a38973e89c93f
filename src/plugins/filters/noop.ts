/**
 * noop: does nothing but match, so that the common options (add_field, remove_tag, …) can be used and
 * measured on their own.
 */
import { defineFilter } from '../../plugin/define.ts'

export default defineFilter({
  name: 'noop',
  oneToOne: true,
  summary: 'Does nothing of its own; only the common options of filters apply.',
  options: {},
  examples: [
    { title: 'Pass an event on', config: 'noop { }', in: { message: 'a' }, out: { message: 'a' } },
    {
      title: 'Tag an event',
      config: 'noop { add_tag => ["seen"] }',
      in: { message: 'a' },
      out: { message: 'a', tags: ['seen'] },
    },
  ],
  create() {
    return { filter: () => true }
  },
})
