import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  definitionOf,
  isForeignSetting,
  isSettingName,
  pipelineSettingNames,
  settingNames,
} from './definitions.ts'
import { Settings } from './settings.ts'
import type { PortRange } from './values.ts'

const place = { home: '/h', hostname: 'host', cores: 4, pathSettings: '/h/config' }

describe('Settings', () => {
  it('have the types of the table', () => {
    const settings = new Settings(place, new Map())
    expectTypeOf(settings.get('queue.type')).toEqualTypeOf<'persisted' | 'memory'>()
    expectTypeOf(settings.get('config.string')).toEqualTypeOf<string | null>()
    expectTypeOf(settings.get('pipeline.workers')).toEqualTypeOf<number>()
    expectTypeOf(settings.get('api.http.port')).toEqualTypeOf<PortRange>()
    expectTypeOf(settings.get('path.plugins')).toEqualTypeOf<readonly string[]>()
    expect(settings.get('queue.type')).toBe('memory')
    expect(settings.get('pipeline.workers')).toBe(4)
  })

  it('know our own settings', () => {
    const settings = new Settings(place, new Map())
    expect(settings.get('compat.conditions')).toBe('logstash')
    expect(settings.get('compat.strict')).toBe(false)
    expect(settings.get('pipeline.condition_error')).toBe('drop')
    expect(settings.get('pipeline.output.inflight')).toBe(2)
    expect(settings.get('shutdown.grace')).toBe(10_000)
    expect(settings.get('queue.durability')).toBe('group')
    expect(settings.get('queue.memory.max_bytes')).toBe(67108864)
    expect(settings.get('config.escape_aware_strings')).toBe(false)
    expect(settings.get('keystore.file')).toBe('/h/config/millrace.keystore')
  })

  it('are not changed by an overlay', () => {
    const settings = new Settings(place, new Map([['pipeline.workers', { value: 2, source: 'file' }]]))
    const pipeline = settings.overlay(new Map([['pipeline.id', 'a']]))
    expect(pipeline.get('pipeline.id')).toBe('a')
    expect(pipeline.get('pipeline.workers')).toBe(2)
    expect(pipeline.sourceOf('pipeline.id')).toBe('pipeline')
    expect(settings.get('pipeline.id')).toBe('main')
    expect(settings.isSet('pipeline.id')).toBe(false)
  })

  it('do not know inherited names', () => {
    expect(isSettingName('constructor')).toBe(false)
    expect(() => new Settings(place, new Map()).get('toString' as 'node.name')).toThrow(
      `Setting "toString" doesn't exist. Please check if you haven't made a typo.`,
    )
  })
})

describe('the table', () => {
  it('has flags once', () => {
    const flags = settingNames.flatMap((name) => {
      const { flag } = definitionOf[name]
      return flag === undefined
        ? []
        : [flag.short, flag.long ?? `--${name}`].filter((part) => part !== undefined)
    })
    expect(new Set(flags).size).toBe(flags.length)
  })

  it('allows queue and dead letter settings per pipeline', () => {
    const allowed: readonly string[] = pipelineSettingNames
    for (const name of settingNames) {
      if (/^(?:queue|dead_letter_queue)\./.test(name)) expect(allowed).toContain(name)
    }
    expect(new Set(allowed).size).toBe(allowed.length)
  })

  it('tells foreign settings', () => {
    expect(
      ['xpack.monitoring.enabled', 'modules', 'cloud.id', 'monitoring.enabled'].every(isForeignSetting),
    ).toBe(true)
    expect(['xpackage', 'module', 'pipeline.x'].some(isForeignSetting)).toBe(false)
  })
})
