/** Every template of the golden table through add_field; a template that fails tags the event. */
import { describe, expect, it } from 'vitest'
import { golden } from '../support/golden.ts'
import { eventOf, openPipeline } from '../support/in-process.ts'

describe('templates in add_field', () => {
  // A template in braces of its own would be substituted from the environment.
  const rows = golden.sprintf.filter(({ template }) => !template.startsWith('${'))

  it.each(rows)('$template', async ({ template, result, error }) => {
    const pipeline = await openPipeline(`mutate { add_field => { "x" => "${template}" } }`)
    const [event] = await pipeline.run([eventOf(golden.sprintf_event)])
    if (error === undefined) expect(event?.get('x')).toBe(result)
    else {
      expect(event?.get('x')).toBeUndefined()
      expect(event?.get('tags')).toEqual(['_mutate_error'])
    }
  })
})
