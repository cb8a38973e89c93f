import { describe, expect, it } from 'vitest'
import { architectureOf, nameOf } from './machine-info.ts'

describe('the machine in the words of Java', () => {
  it('has the names of systems', () => {
    expect(nameOf('Linux', '6.1.0')).toBe('Linux')
    expect(nameOf('Darwin', '23.5.0')).toBe('Mac OS X')
    expect(nameOf('Windows_NT', '10.0.19045')).toBe('Windows 10')
    expect(nameOf('Windows_NT', '10.0.22631')).toBe('Windows 11')
  })

  it('has the names of architectures', () => {
    expect(architectureOf('x64', 'Linux')).toBe('amd64')
    expect(architectureOf('x64', 'Darwin')).toBe('x86_64')
    expect(architectureOf('arm64', 'Darwin')).toBe('aarch64')
    expect(architectureOf('riscv64', 'Linux')).toBe('riscv64')
  })
})
