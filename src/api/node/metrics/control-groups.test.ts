import { describe, expect, it } from 'vitest'
import { osStats } from './control-groups.ts'

const filesOf = (files: Record<string, string>) => ({ read: (path: string) => files[path] })

describe('control groups', () => {
  it('of version 1 are read from their controllers', () => {
    const files = filesOf({
      '/proc/self/cgroup': '4:cpu,cpuacct:/docker/abc\n3:memory:/docker/abc\n0::/\n',
      '/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu/docker/abc/cpu.stat': 'nr_periods 5\nnr_throttled 2\nthrottled_time 8000\n',
      '/sys/fs/cgroup/cpuacct/docker/abc/cpuacct.usage': '4771000000\n',
    })
    expect(osStats(files)).toEqual({
      cgroup: {
        cpuacct: { control_group: '/docker/abc', usage_nanos: 4_771_000_000 },
        cpu: {
          control_group: '/docker/abc',
          cfs_period_micros: 100_000,
          cfs_quota_micros: -1,
          stat: { number_of_elapsed_periods: 5, number_of_times_throttled: 2, time_throttled_nanos: 8000 },
        },
      },
    })
  })

  it('of version 2 are in microseconds, and in a container at the root of the mount', () => {
    const files = filesOf({
      '/proc/self/cgroup': '0::/system.slice/x.service\n',
      '/sys/fs/cgroup/cpu.stat': 'usage_usec 12\nnr_periods 7\nnr_throttled 1\nthrottled_usec 3\n',
      '/sys/fs/cgroup/cpu.max': '150000 100000\n',
    })
    expect(osStats(files)).toEqual({
      cgroup: {
        cpuacct: { control_group: '/', usage_nanos: 12_000 },
        cpu: {
          control_group: '/',
          cfs_period_micros: 100_000,
          cfs_quota_micros: 150_000,
          stat: { number_of_elapsed_periods: 7, number_of_times_throttled: 1, time_throttled_nanos: 3000 },
        },
      },
    })
  })

  it('give -1 for what cannot be read, no quota as -1, and nothing where there are none', () => {
    const files = filesOf({ '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/cpu.max': 'max 100000\n' })
    const { cgroup } = osStats(files)
    expect(cgroup?.cpuacct.usage_nanos).toBe(-1)
    expect(cgroup?.cpu.stat.number_of_elapsed_periods).toBe(-1)
    expect(osStats(filesOf({}))).toEqual({})
  })
})
