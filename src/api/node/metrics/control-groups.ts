/**
 * The `os` section: what the control group of this process may use of the processors, and has used. Version 2
 * has one tree for everything, version 1 one per controller; in a container the path of the group is often
 * not what is mounted, then the root of the mount is meant. An unreadable number is -1.
 */
import { readFileSync } from 'node:fs'
import { recent } from './recent.ts'

interface ControlGroupFiles {
  /** Undefined for a file that cannot be read. */
  read(path: string): string | undefined
}

interface ControlGroupBody {
  cpuacct: { control_group: string; usage_nanos: number }
  cpu: {
    control_group: string
    cfs_period_micros: number
    cfs_quota_micros: number
    stat: {
      number_of_elapsed_periods: number
      number_of_times_throttled: number
      time_throttled_nanos: number
    }
  }
}

const root = '/sys/fs/cgroup'

const realFiles: ControlGroupFiles = {
  read(path) {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return undefined
    }
  },
}

/** An empty object where there are no control groups. */
export function osStats(files = realFiles): { cgroup?: ControlGroupBody } {
  const text = files.read('/proc/self/cgroup')
  if (text === undefined) return {}
  const groups = groupsOf(text)
  const cgroup = groups.has('cpu') ? firstVersion(groups, files) : secondVersion(groups, files)
  return cgroup === undefined ? {} : { cgroup }
}

export const recentOsStats = recent(() => osStats())

/** Lines `id:controllers:path`; version 2 has the id 0 and no controllers. */
function groupsOf(text: string): Map<string, string> {
  const groups = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) continue
    for (const controller of controllers.split(',')) groups.set(controller, path)
  }
  return groups
}

function firstVersion(groups: ReadonlyMap<string, string>, files: ControlGroupFiles): ControlGroupBody {
  const cpu = mounted(files, 'cpu', groups.get('cpu') ?? '/', 'cpu.cfs_period_us')
  const cpuacct = mounted(files, 'cpuacct', groups.get('cpuacct') ?? '/', 'cpuacct.usage')
  const stat = pairs(files.read(`${cpu.folder}/cpu.stat`))
  return {
    cpuacct: {
      control_group: cpuacct.group,
      usage_nanos: number(files.read(`${cpuacct.folder}/cpuacct.usage`)),
    },
    cpu: {
      control_group: cpu.group,
      cfs_period_micros: number(files.read(`${cpu.folder}/cpu.cfs_period_us`)),
      cfs_quota_micros: number(files.read(`${cpu.folder}/cpu.cfs_quota_us`)),
      stat: {
        number_of_elapsed_periods: stat.get('nr_periods') ?? -1,
        number_of_times_throttled: stat.get('nr_throttled') ?? -1,
        time_throttled_nanos: stat.get('throttled_time') ?? -1,
      },
    },
  }
}

function secondVersion(
  groups: ReadonlyMap<string, string>,
  files: ControlGroupFiles,
): ControlGroupBody | undefined {
  const path = groups.get('')
  if (path === undefined) return undefined
  const { folder, group } = mounted(files, '', path, 'cpu.stat')
  const stat = pairs(files.read(`${folder}/cpu.stat`))
  const [quota, period] = (files.read(`${folder}/cpu.max`) ?? '').trim().split(/\s+/)
  return {
    cpuacct: { control_group: group, usage_nanos: nanos(stat.get('usage_usec')) },
    cpu: {
      control_group: group,
      cfs_period_micros: number(period),
      cfs_quota_micros: quota === 'max' ? -1 : number(quota),
      stat: {
        number_of_elapsed_periods: stat.get('nr_periods') ?? -1,
        number_of_times_throttled: stat.get('nr_throttled') ?? -1,
        time_throttled_nanos: nanos(stat.get('throttled_usec')),
      },
    },
  }
}

function mounted(files: ControlGroupFiles, controller: string, path: string, file: string) {
  const base = controller === '' ? root : `${root}/${controller}`
  const own = `${base}${path === '/' ? '' : path}`
  return files.read(`${own}/${file}`) === undefined
    ? { folder: base, group: '/' }
    : { folder: own, group: path }
}

/** Lines `name number`. */
function pairs(text: string | undefined): Map<string, number> {
  return new Map(
    (text ?? '')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((words) => words.length === 2)
      .map(([name = '', value]) => [name, number(value)]),
  )
}

function number(text: string | undefined): number {
  const word = (text ?? '').trim()
  return /^-?\d+$/.test(word) ? Number(word) : -1
}

function nanos(micros: number | undefined): number {
  return micros === undefined || micros < 0 ? -1 : micros * 1000
}
