import { describe, expect, it } from 'vitest'
import type { PluginType } from './define.ts'
import { neverSupported } from './never-supported.ts'

describe('plugins that will not exist', () => {
  it.each<[PluginType, string, string]>([
    ['input', 'twitter', 'closed'],
    ['input', 'jms', '`kafka`, `rabbitmq`'],
    ['input', 'wmi', '`beats`'],
    ['input', 'eventlog', '`beats`'],
    ['input', 'irc', 'no transport'],
    ['input', 'sqlite', '`jdbc`'],
    ['filter', 'elastic_integration', '`pipeline` of the `elasticsearch` output'],
    ['filter', 'java_uuid', '`uuid`'],
    ['output', 'irc', 'no transport'],
    ['output', 'jira', '`http`'],
    ['codec', 'jdots', '`dots`'],
  ])('%s %s: says what to use', (type, name, expected) => {
    expect(neverSupported(type, name)).toContain(expected)
  })

  it('says nothing of names that are inherited or unknown', () => {
    expect(neverSupported('input', 'constructor')).toBeUndefined()
    expect(neverSupported('filter', 'mutate')).toBeUndefined()
  })
})
