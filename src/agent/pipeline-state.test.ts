import { describe, expect, it } from 'vitest'
import { type PipelineConfig, PipelineState } from './pipeline-state.ts'

describe('the state of a pipeline', () => {
  it('remembers when it was started again, but not for ever', () => {
    const state = new PipelineState({ id: 'main' } as PipelineConfig)
    for (let n = 0; n < 100; n++) state.recordRecovery()
    expect(state.recoveries).toHaveLength(20)
    expect(state.recoveries).toEqual([...state.recoveries].sort((a, b) => a - b))
  })
})
