/**
 * The operations of mutate that write a text into a field: coerce (where the field holds null), update
 * (where it exists), replace (always).
 */
import type { HashValue } from '../../../plugin/define.ts'
import type { Step, Tools } from './step.ts'

export function coerce(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([name, value]) => {
    const get = tools.get(name)
    const write = writer(name, value, tools)
    return (event) => {
      if (get(event) === null) write(event)
    }
  })
}

export function update(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([name, value]) => {
    const get = tools.get(name)
    const write = writer(name, value, tools)
    return (event) => {
      if (get(event) !== undefined) write(event)
    }
  })
}

export function replace(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([name, value]) => writer(name, value, tools))
}

function writer(name: string, value: Parameters<Tools['template']>[0], tools: Tools): Step {
  const set = tools.set(name)
  const constant = tools.constant(value)
  if (constant !== undefined) return (event) => set(event, constant)
  const template = tools.template(value)
  return (event) => set(event, template(event))
}
