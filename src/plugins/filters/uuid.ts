/**
 * uuid: a random identifier for each event.
 */
import { randomUUID } from 'node:crypto'
import { defineFilter, option } from '../../plugin/define.ts'

export default defineFilter({
  name: 'uuid',
  oneToOne: true,
  summary: 'Adds a random identifier.',
  options: {
    target: option.string({ required: true, doc: 'Field for the identifier.' }),
    overwrite: option.boolean({ default: false, doc: 'Whether to replace a value the field has already.' }),
  },
  examples: [
    {
      title: 'A field that is there stays',
      config: 'uuid { target => "id" add_tag => ["identified"] }',
      in: { id: 'mine' },
      out: { id: 'mine', tags: ['identified'] },
    },
  ],
  create({ options: { target, overwrite }, compile }) {
    const get = compile.get(target)
    const set = compile.set(target)
    return {
      filter(event) {
        const old = overwrite ? undefined : get(event)
        if (old === undefined || old === null) set(event, randomUUID())
        return true
      },
    }
  },
})
