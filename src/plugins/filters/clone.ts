/**
 * clone: duplicates events. Each copy carries its name, as `type` in legacy mode and as a tag in ECS mode,
 * and the common options apply to the copies only; the original passes untouched.
 */
import type { Event } from '../../event/event.ts'
import type { Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'

export default defineFilter({
  name: 'clone',
  summary: 'Duplicates events.',
  description:
    'The copies follow their original and go on with the next filter. Without ECS compatibility the name ' +
    'of a copy becomes its `type`; with it the name is added to its `tags`.',
  options: {
    clones: option.array({ required: true, doc: 'Names of the copies, one copy for each.' }),
  },
  examples: [
    {
      title: 'One copy, told apart by its type',
      config: 'clone { clones => ["copy"] ecs_compatibility => "disabled" }',
      in: { message: 'a', type: 'log' },
      out: [
        { message: 'a', type: 'log' },
        { message: 'a', type: 'copy' },
      ],
    },
    {
      title: 'One copy, told apart by a tag',
      config: 'clone { clones => ["copy"] add_field => { "is" => "new" } ecs_compatibility => "v8" }',
      in: { message: 'a' },
      out: [{ message: 'a' }, { message: 'a', tags: ['copy'], is: 'new' }],
    },
  ],
  create({ options: { clones }, ecs, compile, logger, matched }) {
    const setType = compile.set('type')
    const mark = ecs === 'disabled' ? setType : addTag
    return {
      register() {
        if (clones.length === 0) {
          logger.warn("The parameter 'clones' is empty, so no clones will be created.")
        }
      },
      filter(event, emit) {
        for (const name of clones) {
          const copy = event.clone()
          mark(copy, name)
          matched(copy)
          emit(copy)
        }
        return false
      },
    }
  },
})

/** Appends also where the tag is there already. */
function addTag(event: Event, name: Value): void {
  const tags = event.get('tags')
  const list = Array.isArray(tags) ? tags : tags === undefined || tags === null ? [] : [tags]
  event.set('tags', [...list, rubyText(name)])
}
