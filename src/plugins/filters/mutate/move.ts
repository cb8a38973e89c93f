/**
 * The operations of mutate that carry values from field to field: rename, merge, copy.
 * What ends up in two places is copied deeply, since later writes reach into maps and lists.
 */
import { cloneValue } from '../../../event/clone.ts'
import { type Fields, fieldNames, isFields, putField, type Value } from '../../../event/value.ts'
import type { HashValue } from '../../../plugin/define.ts'
import type { Step, Tools } from './step.ts'

/** Both names are templates; a field that is not there is left out, one that holds null moves. */
export function rename(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([from, to]) => {
    const oldName = tools.constant(from)
    const newName = tools.constant(to)
    if (oldName !== undefined && newName !== undefined) {
      const remove = tools.remove(oldName)
      const set = tools.set(newName)
      return (event) => {
        const value = remove(event)
        if (value !== undefined) set(event, value)
      }
    }
    const oldTemplate = tools.template(from)
    const newTemplate = tools.template(to)
    return (event) => {
      const from = oldTemplate(event)
      const to = newTemplate(event)
      const value = event.remove(from)
      if (value !== undefined) event.set(to, value)
    }
  })
}

export function copy(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([from, to]) => {
    const get = tools.get(from)
    const set = tools.set(to)
    return (event) => {
      const value = get(event)
      if (value !== undefined && value !== null) set(event, cloneValue(value))
    }
  })
}

/**
 * Maps merge with maps; everything else becomes a list. The destination is read once, before its first
 * source: a list or map grows with every source, but of several sources for a scalar only the last stays.
 */
export function merge(fields: HashValue, tools: Tools): Step[] {
  return [...fields].map(([destination, added]) => {
    const get = tools.get(destination)
    const set = tools.set(destination)
    const sources = (Array.isArray(added) ? added : [added]).map((name) => ({ name, get: tools.get(name) }))
    return (event) => {
      const old = get(event)
      const map = isFields(old) ? shallowCopy(old) : undefined
      const list = Array.isArray(old) ? [...old] : undefined
      for (const source of sources) {
        const value = source.get(event)
        if (isFields(value) !== (map !== undefined)) {
          tools.logger.error('Not possible to merge an array and a hash: ', {
            dest_field: destination,
            added_field: source.name,
          })
        } else if (map !== undefined && isFields(value)) {
          for (const name of fieldNames(value)) putField(map, name, cloneValue(value[name]!))
          set(event, map)
        } else {
          const target = list ?? (old === undefined || old === null ? [] : [old])
          appendTo(target, value)
          set(event, target)
        }
      }
    }
  })
}

function shallowCopy(fields: Fields): Fields {
  const copied: Fields = {}
  for (const name of fieldNames(fields)) putField(copied, name, fields[name])
  return copied
}

function appendTo(list: Value[], value: Value | undefined): void {
  if (value === undefined || value === null) return
  if (!Array.isArray(value)) list.push(cloneValue(value))
  else for (const item of cloneValue(value) as Value[]) list.push(item)
}
