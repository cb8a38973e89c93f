/** The four states of health, from best to worst, and how a group is summed up in one sentence. */
export const healthStatuses = ['green', 'unknown', 'yellow', 'red'] as const
export type HealthStatus = (typeof healthStatuses)[number]

export const wordOf: Readonly<Record<HealthStatus, string>> = {
  green: 'healthy',
  unknown: 'unknown',
  yellow: 'concerning',
  red: 'unhealthy',
}

/** Nobody is ill where nobody is. */
export function worst(statuses: Iterable<HealthStatus>): HealthStatus {
  let found = 0
  for (const status of statuses) found = Math.max(found, healthStatuses.indexOf(status))
  return healthStatuses[found] ?? 'unknown'
}

/** ``1 indicator is unhealthy (`a`) and 2 indicators are healthy (`b`, `c`)``, the worst first. */
export function groupSymptom(members: readonly (readonly [name: string, status: HealthStatus])[]): string {
  const parts = healthStatuses.toReversed().flatMap((wanted) => {
    const names = members.filter(([, status]) => status === wanted).map(([name]) => `\`${name}\``)
    if (names.length === 0) return []
    const subject = names.length === 1 ? '1 indicator is' : `${names.length} indicators are`
    return `${subject} ${wordOf[wanted]} (${names.join(', ')})`
  })
  if (parts.length === 0) return 'no indicators'
  if (parts.length <= 2) return parts.join(' and ')
  return `${parts.slice(0, -1).join(', ')}, and ${parts[parts.length - 1]}`
}
