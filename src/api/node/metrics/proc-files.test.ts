import { expect, it, vi } from 'vitest'
import { residentBytes } from './proc-files.ts'

it('keeps the last reading of resident memory when no file is left to read it from', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const rss = vi.spyOn(process.memoryUsage, 'rss')
  try {
    rss.mockReturnValueOnce(1234)
    expect(residentBytes()).toBe(1234)
    vi.advanceTimersByTime(1000)
    rss.mockImplementationOnce(() => {
      throw Object.assign(new Error('EMFILE: too many open files, uv_resident_set_memory'), {
        code: 'EMFILE',
      })
    })
    expect(residentBytes()).toBe(1234)
  } finally {
    rss.mockRestore()
    vi.useRealTimers()
  }
})
