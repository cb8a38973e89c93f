import { describe, expect, it } from 'vitest'
import { Gate } from './gate.ts'

describe('gate', () => {
  it('lets some in, makes some wait and turns the rest away', async () => {
    const gate = new Gate({ inside: 1, waiting: 1, milliseconds: 60_000 })
    expect(gate.enter()).toBe(true)
    const waiting = gate.enter()
    expect(gate.enter()).toBe(false)
    gate.leave()
    expect(await waiting).toBe(true)
    gate.leave()
    expect(gate.enter()).toBe(true)
  })

  it('turns away who has waited long enough', async () => {
    const gate = new Gate({ inside: 1, waiting: 5, milliseconds: 1 })
    void gate.enter()
    expect(await gate.enter()).toBe(false)
    gate.leave()
    expect(gate.enter()).toBe(true)
  })

  it('turns everybody away when it is closed', async () => {
    const gate = new Gate({ inside: 1, waiting: 5, milliseconds: 60_000 })
    void gate.enter()
    const waiting = gate.enter()
    gate.close()
    expect(await waiting).toBe(false)
    expect(gate.enter()).toBe(false)
  })
})
