import { describe, expect, it } from 'vitest'
import { containerFlags } from './container-flags.ts'

describe('settings of a container', () => {
  it('come from variables named as those of the image of Logstash', () => {
    const env = {
      MILLRACE_CONTAINER: 'true',
      PIPELINE_WORKERS: '4',
      LOG_LEVEL: 'debug',
      API_HTTP_HOST: '0.0.0.0',
      PATH: '/bin',
    }
    const flags = containerFlags(env)
    expect(flags.filter((flag) => flag !== '-S').sort()).toEqual(
      ['api.http.host=0.0.0.0', 'log.level=debug', 'pipeline.workers=4'].sort(),
    )
    expect(flags.filter((flag) => flag === '-S').length).toBe(3)
  })

  it('are ignored elsewhere', () => {
    expect(containerFlags({ LOG_LEVEL: 'debug' })).toEqual([])
  })
})
