import { describe, expect, it } from 'vitest'
import { Settings } from '../settings/settings.ts'
import type { PipelineConfig } from './pipeline-state.ts'
import { settledLoad, vanishedTexts } from './settled-load.ts'

const settings = new Settings({ home: '.', hostname: 'here', cores: 1, pathSettings: '.' }, new Map())

function config(...texts: string[]): PipelineConfig {
  return {
    id: 'main',
    settings,
    parts: texts.map((text, n) => ({ protocol: 'file', id: `/etc/${n}.conf`, text })),
  }
}

/** Gives one reading after the other, then the last one for ever. */
function readings(...all: (PipelineConfig[] | Error)[]) {
  let next = 0
  return async () => {
    const reading = all[Math.min(next++, all.length - 1)]!
    if (reading instanceof Error) throw reading
    return reading
  }
}

const instantly = () => Promise.resolve()
const unknown = () => false

describe('a configuration', () => {
  it('that is known is read once', async () => {
    const first = [config('a')]
    expect(await settledLoad(readings(first, [config('b')]), () => true, instantly)).toBe(first)
  })

  it('that differs is believed when two readings find the same', async () => {
    const load = readings([config('')], [config('input')], [config('input { }')], [config('input { }')])
    expect(await settledLoad(load, unknown, instantly)).toEqual([config('input { }')])
  })

  it('that is missing for one reading is not missing', async () => {
    const load = readings([config()], [config('a')])
    const found = await settledLoad(load, (configs) => configs[0]!.parts[0]?.text === 'a', instantly)
    expect(found).toEqual([config('a')])
  })

  it('that cannot be read once is read again, and refused when that fails as well', async () => {
    const broken = new Error('no such file')
    expect(await settledLoad(readings(broken, [config('a')]), unknown, instantly)).toEqual([config('a')])
    await expect(settledLoad(readings(broken), unknown, instantly)).rejects.toBe(broken)
  })

  it('that never holds still is not believed', async () => {
    let n = 0
    const load = async () => [config(`${n++}`)]
    expect(await settledLoad(load, unknown, instantly)).toBeUndefined()
    expect(n).toBe(10)
  })
})

describe('texts that vanished', () => {
  it('are those that are empty now, or all of them when none is left', () => {
    const running = config('a', 'b', '')
    expect(vanishedTexts(running, config())).toEqual(['/etc/0.conf', '/etc/1.conf', '/etc/2.conf'])
    expect(vanishedTexts(running, config('a', ' \n', ''))).toEqual(['/etc/1.conf'])
    expect(vanishedTexts(running, config('x', 'b'))).toEqual([])
  })
})
