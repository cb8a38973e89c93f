import { describe, expect, it } from 'vitest'
import { HostNames, type Lookup } from './host-names.ts'

describe('host names', () => {
  it('are looked up once and remembered, failures as the address itself', async () => {
    const asked: string[] = []
    const names = new HostNames((address, found) => {
      asked.push(address)
      setImmediate(found, address === '10.0.0.1' ? 'one.example' : undefined)
    })
    const both = [names.nameOf('10.0.0.1'), names.nameOf('10.0.0.1'), names.nameOf('10.0.0.2')]
    expect(await Promise.all(both)).toEqual(['one.example', 'one.example', '10.0.0.2'])
    expect(names.nameOf('10.0.0.1')).toBe('one.example')
    expect(names.nameOf('10.0.0.2')).toBe('10.0.0.2')
    expect(asked).toEqual(['10.0.0.1', '10.0.0.2'])
  })

  it('are not looked up for what is no address', async () => {
    const names = new HostNames()
    for (const text of ['nonsense', '', '1.2.3', 'x'.repeat(1000)])
      expect(await names.nameOf(text)).toBe(text)
  })

  it('are looked up two at a time', async () => {
    const running: ((name: string | undefined) => void)[] = []
    const lookup: Lookup = (_address, found) => void running.push(found)
    const names = new HostNames(lookup)
    const asked = ['1', '2', '3'].map((address) => names.nameOf(address))
    expect(running).toHaveLength(2)
    running[0]!('first')
    await asked[0]
    expect(running).toHaveLength(3)
    running[1]!('second')
    running[2]!('third')
    expect(await Promise.all(asked)).toEqual(['first', 'second', 'third'])
  })
})
