/**
 * environment: variables of the process as fields or metadata, read when the pipeline starts.
 */
import type { Setter } from '../../event/accessors.ts'
import { defineFilter, type HashValue, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'
import { nestedReference } from '../values/dynamic-field.ts'

export default defineFilter({
  name: 'environment',
  oneToOne: true,
  summary: 'Adds environment variables as fields.',
  options: {
    add_field_from_env: option.hash({
      default: new Map(),
      names: 'keys',
      doc: 'Fields and the variables whose values they get.',
    }),
    add_metadata_from_env: option.hash({
      default: new Map(),
      doc: 'Fields below `@metadata` and the variables whose values they get.',
    }),
  },
  examples: [
    {
      title: 'A variable that is not set',
      config: 'environment { add_field_from_env => { "region" => "MILLRACE_NO_SUCH_VARIABLE" } }',
      in: { message: 'a' },
      out: { message: 'a', region: null },
    },
  ],
  create({ options, compile }) {
    const steps: { set: Setter; value: string | null }[] = []
    const add = (fields: HashValue, reference: (name: string) => string) => {
      for (const [name, variable] of fields)
        steps.push({ set: compile.set(reference(name)), value: process.env[rubyText(variable)] ?? null })
    }
    add(options.add_field_from_env, (name) => name)
    add(options.add_metadata_from_env, (name) => nestedReference('[@metadata]', name))
    return {
      filter(event) {
        for (const { set, value } of steps) set(event, value)
        return true
      },
    }
  },
})
